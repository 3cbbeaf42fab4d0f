import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { DeletedKapsuleRecord } from '@kaptain/store';
import { type AuditEntry, type AuditedCall, audit } from '../../base/audit/audit.ts';
import { toAppError } from '../../http/server/errors.ts';
import { removeProposals } from '../approvals/remove-proposals.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { dropTableOf, isUnanswered, otherKapsulesOn } from '../data-sources/source-tables.ts';
import { isConnected } from '../granules/granules-of.ts';
import { forgetAuthorsOfKapsule, forgetAuthorsOfTable } from '../threads/comment-authors.ts';
import { targetOf } from './kapsule-access.ts';
import { removeViews } from './remove-views.ts';

/** The caller of a call, or the service itself. */
interface Purger extends Pick<AuditEntry, 'actor'> {
  call: AuditedCall;
  now: number;
}

const textOf = (error: unknown) => toAppError(error).message;

/** Why the table stays, although its drop was asked for; undefined when it is to be dropped. */
async function reasonToKeep(
  { store, dataSources }: Databases,
  kapsule: DeletedKapsuleRecord,
): Promise<string | undefined> {
  if (!isConnected(dataSources, kapsule.database))
    return `${kapsule.database} is not set up in the settings.`;
  const others = await otherKapsulesOn(store, kapsule, [kapsule.id]);
  return others.length > 0 ? 'The table is used by others too.' : undefined;
}

/** Drops the table if that was asked for; throws only when the data source does not answer, so that a retry makes sense. */
async function dropTable(databases: Databases, kapsule: DeletedKapsuleRecord) {
  if (kapsule.tableDrop === null || kapsule.database === DEFAULT_DATABASE) return {};
  const reason = await reasonToKeep(databases, kapsule);
  if (reason !== undefined) return { tableKept: reason };
  try {
    await dropTableOf(databases.dataSources, kapsule, kapsule.tableDrop === 'any');
    return { tableDropped: true };
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return { tableKept: textOf(error) };
  }
}

/**
 * Deletes a deleted kapsule for good, with its granules. Returns false when another instance was first or it was
 * restored. The first step makes a restore impossible, because the table is dropped outside of a unit.
 */
export async function purgeKapsule(databases: Databases, id: string, purger: Purger): Promise<boolean> {
  const { store } = databases;
  const { call, now, actor } = purger;
  const kapsule = await store.transaction(async (unit) =>
    (await unit.deletedKapsules.get(id)) ? unit.deletedKapsules.patch(id, { state: 'deleting' }) : undefined,
  );
  if (!kapsule) return false;
  const table = await dropTable(databases, kapsule);
  await removeProposals(store, id);
  if (kapsule.database === DEFAULT_DATABASE) await forgetAuthorsOfKapsule(store, kapsule);
  else if ('tableDropped' in table) await forgetAuthorsOfTable(store, kapsule);
  return store.transaction(async (unit) => {
    if (!(await unit.deletedKapsules.remove(id))) return false;
    if (kapsule.database === DEFAULT_DATABASE) await unit.granules.purgeKapsule(id);
    await removeViews(unit, id);
    const { name, owner, database, tableName, deletedAt, deletedBy } = kapsule;
    const before = { name, owner, database, tableName, deletedAt, deletedBy, ...table };
    const entry = {
      action: 'kapsule.purge',
      target: targetOf(kapsule),
      before,
      ...(actor && { actor }),
    } as const;
    await audit(unit, call, now, entry);
    return true;
  });
}
