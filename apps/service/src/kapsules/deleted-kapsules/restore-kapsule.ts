import { DEFAULT_DATABASE, type Kapsule, mayRestore } from '@kaptain/contract';
import { type DeletedKapsuleRecord, foldName, type KapsuleRecord, type Unit } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call, Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { isForeignTable, requireLastingTable } from '../data-sources/source-tables.ts';
import { requireConnected } from '../granules/granules-of.ts';
import { requireFreeName, requireVisibleName } from '../kapsules/free-name.ts';
import { noSuchKapsule, targetOf } from '../kapsules/kapsule-access.ts';
import { rejoinGroups } from '../kapsules/kapsule-groups.ts';
import { showKapsule } from '../kapsules/show-kapsule.ts';
import { nextRuns, timeZoneOf } from '../kapsules/show-schedule.ts';
import { withSeenSources } from '../values/choice-sources.ts';
import type { DeletedKapsulesDeps } from './list-deleted.ts';

export function restoreKapsule({ store, dataSources, clock }: DeletedKapsulesDeps) {
  async function find(
    nouns: Pick<Unit, 'deletedKapsules'>,
    id: string,
    caller: Caller,
  ): Promise<DeletedKapsuleRecord> {
    const kapsule = await nouns.deletedKapsules.get(id);
    if (!kapsule || !mayRestore(caller, kapsule)) throw noSuchKapsule();
    if (kapsule.state === 'deleting' || Date.parse(kapsule.purgeAt) <= clock())
      throw new AppError('CONFLICT', `${kapsule.name} can no longer be restored.`);
    return kapsule;
  }

  /** The table may have become one of another program, whose columns a USER must not reach by a restore. */
  async function requireOwnTable(kapsule: DeletedKapsuleRecord, { role }: Caller): Promise<void> {
    if (role === 'ADMIN' || kapsule.database === DEFAULT_DATABASE) return;
    requireConnected(dataSources, kapsule.database);
    if (await isForeignTable(dataSources, kapsule))
      throw new AppError(
        'FORBIDDEN',
        `The table ${kapsule.tableName} was not made by this service: only an ADMIN may restore ${kapsule.name}.`,
      );
  }

  async function restoreSchedule(unit: Unit, { schedule, appId }: DeletedKapsuleRecord): Promise<void> {
    if (!schedule || !appId) return;
    const [nextRunAt = ''] = nextRuns(schedule.cron, timeZoneOf(schedule), clock());
    await unit.schedules.insert({ ...schedule, nextRunAt });
  }

  async function restore(unit: Unit, kapsule: DeletedKapsuleRecord, name: string): Promise<KapsuleRecord> {
    // All fields of a kapsule, also those that a later version adds.
    const {
      version,
      deletedAt: _deletedAt,
      deletedBy: _deletedBy,
      purgeAt: _purgeAt,
      groupIds: _groupIds,
      schedule: _schedule,
      tableDrop: _tableDrop,
      ...record
    } = kapsule;
    await unit.deletedKapsules.remove(kapsule.id);
    const updatedAt = new Date(clock()).toISOString();
    return unit.kapsules.insert({ ...record, name, nameKey: foldName(name), updatedAt }, version);
  }

  return async (id: string, newName: string | undefined, call: Call<'loggedIn'>): Promise<Kapsule> => {
    const asked = await presentCaller(store, call.caller);
    await requireOwnTable(await find(store, id, asked), asked);
    const record = await store.transaction(async (unit) => {
      const caller = await presentCaller(unit, call.caller);
      // The table was checked for this role.
      if (caller.role !== asked.role) throw new AppError('FORBIDDEN');
      const kapsule = await find(unit, id, caller);
      const name = newName ?? kapsule.name;
      requireVisibleName(name);
      await requireFreeName(unit, name, caller);
      await requireLastingTable(unit, kapsule);
      const restored = await restore(unit, kapsule, name);
      await restoreSchedule(unit, kapsule);
      const groups = await rejoinGroups(unit, restored, kapsule.groupIds, call, clock());
      const { deletedAt, deletedBy } = kapsule;
      const before = { deletedAt, deletedBy, ...(name !== kapsule.name && { name: kapsule.name }) };
      const after = { name, groups: groups.map(({ groupname }) => groupname) };
      await audit(unit, call, clock(), {
        action: 'kapsule.restore',
        target: targetOf(restored),
        before,
        after,
      });
      return restored;
    });
    const isOwn = record.database === DEFAULT_DATABASE;
    const shown = await withSeenSources(store, record, asked);
    return showKapsule(shown, ['READ', 'DELETE'], isOwn ? { counts: await store.granules.counts(id) } : {});
  };
}
