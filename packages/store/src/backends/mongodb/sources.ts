import type { Filter } from 'mongodb';
import type { Database } from './database.ts';
import type { Selection, Source } from './documents.ts';
import type { NounShape } from './shapes.ts';

/** The documents as they are stored. */
export function databaseSource(database: Database): Source {
  return {
    get: (noun, id) => database.read(() => readOne(database, noun, id)),
    select: (noun, selection) => database.read(() => readAll(database, noun, selection)),
  };
}

export async function readOne(database: Database, noun: string, id: string): Promise<NounShape | undefined> {
  return (await database.noun(noun).findOne({ _id: id })) ?? undefined;
}

export async function readAll(database: Database, noun: string, selection: Selection): Promise<NounShape[]> {
  const { equal, from, before, descending = false, limit } = selection;
  if (limit === 0) return [];
  const filter: Filter<NounShape> = { ...equal };
  if (from !== undefined || before !== undefined) {
    filter._id = { ...(from !== undefined && { $gte: from }), ...(before !== undefined && { $lt: before }) };
  }
  const found = database
    .noun(noun)
    .find(filter)
    .sort({ _id: descending ? -1 : 1 });
  return await (limit === undefined ? found : found.limit(limit)).toArray();
}

/** Says of a document in memory what the filter above says in the database. */
export function isSelected(shape: NounShape, { equal, from, before }: Selection): boolean {
  if (from !== undefined && shape._id < from) return false;
  if (before !== undefined && shape._id >= before) return false;
  return Object.entries(equal).every(([path, value]) => {
    const held = path.startsWith('u.') ? shape.u[path.slice(2)] : shape.i[path.slice(2)];
    return Array.isArray(held) ? held.includes(value) : held === value;
  });
}
