import type { Field } from './calls/kapsules.ts';
import { isThread } from './fields/thread.ts';
import { foldName } from './rules/folding.ts';
import { mayNameAuthors } from './rules/permissions.ts';
import type { Role } from './vocabulary.ts';

/** A field as any service answers it. */
interface NamedField {
  name: string;
  type: string;
}

/** The part of a kapsule that determines the mapping of QVD columns. */
export interface QvdTarget<F extends NamedField = Field> {
  keyField: string;
  table: string;
  fields: readonly F[];
}

/** The mapping of a file's columns; a file is importable when it has the key and at least one field. */
export interface ColumnMatch<F extends NamedField = Field> {
  key: string | undefined;
  fields: { column: string; field: F }[];
  createdBy: string | undefined;
  createdAt: string | undefined;
  /** In the order of the file. */
  matched: string[];
  ignored: string[];
}

/** The first of the names by what `read` makes of each. */
function firstBy(names: readonly string[], read: (name: string) => string): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const name of names) {
    const text = read(name);
    if (!first.has(text)) first.set(text, name);
  }
  return first;
}

/**
 * Decisions 5: case-sensitive first, then case-insensitive; a leading `<table>.` is stripped. Each name is read once: a file
 * may have 10,000 columns, and a kapsule 1,000 fields.
 */
function finder(names: readonly string[], tables: readonly string[]): (wanted: string) => string | undefined {
  const prefixes = tables.filter((table) => table !== '').map((table) => foldName(`${table}.`));
  const bare = (name: string): string => {
    const prefix = prefixes.find((start) => foldName(name.slice(0, start.length)) === start);
    return prefix === undefined ? name : name.slice(prefix.length);
  };
  const exact = [new Set(names), firstBy(names, bare)] as const;
  const folded = [firstBy(names, foldName), firstBy(names, (name) => foldName(bare(name)))] as const;
  return (wanted) => {
    if (exact[0].has(wanted)) return wanted;
    const key = foldName(wanted);
    return exact[1].get(wanted) ?? folded[0].get(key) ?? folded[1].get(key);
  };
}

/** Maps a file's columns to a kapsule for the role that imports it; the service imports by it, the console previews it. */
export function matchColumns<F extends NamedField>(
  names: readonly string[],
  qvdTable: string,
  { keyField, table, fields }: QvdTarget<F>,
  role: Role,
): ColumnMatch<F> {
  const find = finder(names, [table, qvdTable]);
  const key = find(keyField);
  const found = fields.flatMap((field) => {
    // A thread names the authors of its comments.
    if (isThread(field.type) && !mayNameAuthors(role)) return [];
    const column = find(field.name);
    return column === undefined ? [] : [{ column, field }];
  });
  const taken = new Set([key, ...found.map(({ column }) => column)]);
  const [createdBy, createdAt] = ['CreatedBy', 'CreatedAt'].map((name) => {
    const column = find(name);
    return taken.has(column) || !mayNameAuthors(role) ? undefined : column;
  });
  const isTaken = (name: string) => taken.has(name) || name === createdBy || name === createdAt;
  return {
    key,
    fields: found,
    createdBy,
    createdAt,
    matched: names.filter(isTaken),
    ignored: names.filter((name) => !isTaken(name)),
  };
}
