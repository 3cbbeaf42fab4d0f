interface Granule {
  _id?: string;
  version?: number;
  key: string;
  user: string;
  data: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

/** The line of a deleted granule. */
interface Deletion {
  key: string;
  deleted: true;
  deletedAt: string;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function parsed(line: string): Granule | Deletion {
  try {
    return JSON.parse(line) as Granule | Deletion;
  } catch {
    throw new Error('A line of the store is no JSON.');
  }
}

/** The granules of some whole lines. */
export function* granulesIn(lines: Uint8Array): Generator<Granule | Deletion> {
  const text = utf8.decode(lines);
  let end: number;
  for (let at = 0; at < text.length; at = end + 1) {
    end = text.indexOf('\n', at);
    yield parsed(text.slice(at, end));
  }
}

/**
 * The granules of some whole lines, each as its values in the order of the columns; a missing value is undefined. With
 * `deletions` there are two more columns, and rows of deleted granules, which have values only there and in the key.
 */
export function* rowsOf(
  lines: Uint8Array,
  fields: readonly string[],
  deletions: boolean,
): Generator<unknown[]> {
  for (const granule of granulesIn(lines))
    yield 'deleted' in granule ? deletionRow(granule, fields) : rowOf(granule, fields, deletions);
}

function rowOf(
  { key, user, data, createdAt, updatedAt }: Granule,
  fields: readonly string[],
  deletions: boolean,
): unknown[] {
  const row: unknown[] = [key];
  // A field may have the name of an inherited member, such as `constructor`.
  for (const name of fields) row.push(Object.hasOwn(data, name) ? data[name] : undefined);
  row.push(user, createdAt, updatedAt);
  if (deletions) row.push(undefined, undefined);
  return row;
}

/** Only the key and the columns of deletions have values. */
const deletionRow = ({ key, deletedAt }: Deletion, fields: readonly string[]): unknown[] => [
  key,
  ...Array.from({ length: fields.length + 3 }),
  1,
  deletedAt,
];
