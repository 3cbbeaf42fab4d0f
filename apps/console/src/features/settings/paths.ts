export type Block = Record<string, unknown>;

export const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const blockOf = (value: unknown): Block => (isBlock(value) ? value : {});

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isBlock(inner) ? inner[key] : undefined), value);

export const pathOfField = (at: readonly string[], key: string): string[] => [...at, ...key.split('.')];
