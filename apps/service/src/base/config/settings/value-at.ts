type Block = Record<string, unknown>;
type Path = readonly string[];

export const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path of the settings object. */
export const valueAt = (block: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (isBlock(value) ? value[key] : undefined), block);

/** A copy with another value at the path; missing blocks stay missing. */
export function withValueAt(block: Block, [key = '', ...rest]: Path, value: unknown): Block {
  if (rest.length === 0) return { ...block, [key]: value };
  const inner = block[key];
  return isBlock(inner) ? { ...block, [key]: withValueAt(inner, rest, value) } : block;
}

/** A copy without the value at the path. */
export function withoutValueAt(block: Block, [key = '', ...rest]: Path): Block {
  const { [key]: inner, ...others } = block;
  return rest.length > 0 && isBlock(inner) ? { ...block, [key]: withoutValueAt(inner, rest) } : others;
}

/** Every path that has a value, with the value. A list counts as one value. */
export function* leaves(block: Block, path: Path = []): Generator<[field: string, value: unknown]> {
  for (const [key, value] of Object.entries(block)) {
    if (value === undefined) continue;
    if (isBlock(value)) yield* leaves(value, [...path, key]);
    else yield [[...path, key].join('.'), value];
  }
}
