import { type Actor, DEFAULT_DATABASE, type DeletedKapsule, limits } from '@kaptain/contract';
import type { DeletedKapsuleRecord } from '@kaptain/store';
import type { Databases } from '../data-sources/data-sources.ts';

export interface DeletedKapsulesDeps extends Databases {
  clock: () => number;
}

async function show({ store }: Databases, record: DeletedKapsuleRecord): Promise<DeletedKapsule> {
  const { id, name, owner, database, tableName, deletedAt, deletedBy, purgeAt, tableDrop, state } = record;
  const isOwn = database === DEFAULT_DATABASE;
  return {
    _id: id,
    name,
    owner,
    database,
    tableName,
    ...(isOwn && { granules: (await store.granules.counts(id)).total }),
    deletedAt,
    deletedBy,
    purgeAt,
    dropsTable: tableDrop !== null,
    ...(state && { state }),
  };
}

/** Newest first. */
export async function listDeleted(databases: DeletedKapsulesDeps, caller: Actor): Promise<DeletedKapsule[]> {
  const { deletedKapsules } = databases.store;
  const records =
    caller.role === 'ADMIN'
      ? await deletedKapsules.all()
      : await deletedKapsules.findBy('ownerId', caller.userId);
  const newest = records.toSorted((a, b) => b.deletedAt.localeCompare(a.deletedAt));
  const listed = newest.slice(0, limits.deletedKapsules);
  return Promise.all(listed.map((record) => show(databases, record)));
}
