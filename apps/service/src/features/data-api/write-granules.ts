import { type api, DEFAULT_DATABASE, type Given, type Sent } from '@kaptain/contract';
import { type KapsuleRecord, StaleVersionError, type StoredGranule } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { KnownCall } from '../../http/call.ts';
import { shownKey, tooLargeMessage } from '../../kapsule-rules/granule-size.ts';
import { changeGranules, granulesOf } from '../../kapsule-rules/granules-of.ts';
import { changeable, targetOf } from '../../kapsule-rules/kapsule-access.ts';
import { type AuditEntry, audit, auditRecord } from '../../security/audit.ts';
import { dependenciesOf, presentCaller } from '../../security/present-caller.ts';
import { authorOf } from './author.ts';
import type { DataApiDeps } from './data-api-deps.ts';

type Rows = Given<typeof api.dataApi.upsert>['body']['granules'];

/** How many keys an audit entry names. */
const NAMED = 100;

/** The size is that of the JSON in UTF-8, as the store keeps it. */
function requireFitting(rows: Rows, most: number): void {
  for (const { key, data } of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(data));
    if (bytes > most)
      throw new AppError('TOO_LARGE', tooLargeMessage(`The record ${shownKey(key)}`, bytes, most));
  }
}

export function granuleWriting({ store, clock, watermarks, granuleBytes }: DataApiDeps) {
  return {
    async upsert(id: string, rows: Rows, call: KnownCall): Promise<Sent<typeof api.dataApi.upsert>> {
      const { user: known } = call.caller;
      const writer = known ? { ...call.caller, user: known } : await presentCaller(store, call.caller);
      const { kapsule, groups } = await changeable(store, id, writer);
      requireFitting(rows, granuleBytes);
      const user = authorOf(call, writer.user);
      const inputs = rows.map(({ key, data, version }) => ({
        key,
        data,
        user,
        ...(version !== undefined && { version }),
      }));
      const keys = rows.slice(0, NAMED).map(({ key }) => key);
      const after = { count: rows.length, keys, user };
      const entryOn = (present: KapsuleRecord): AuditEntry => ({
        action: 'granule.upsert',
        target: targetOf(present),
        after,
      });
      const answerOf = (stored: readonly StoredGranule[]) => ({
        upserted: stored.length,
        granules: stored.map(({ id: _id, key, version }) => ({ _id, key, version })),
      });
      if (kapsule.database === DEFAULT_DATABASE) {
        const dependsOn = [
          ...dependenciesOf(writer),
          ...[kapsule].map((it) => ({ noun: 'kapsules' as const, id: it.id, version: it.version })),
          ...groups.map((it) => ({ noun: 'groups' as const, id: it.id, version: it.version })),
        ];
        const entry = auditRecord(call, clock(), entryOn(kapsule));
        try {
          return answerOf((await store.save({ kapsuleId: id, rows: inputs, dependsOn, entry })).granules);
        } catch (error) {
          // The caller, the kapsule or a group has just been changed: read anew, in a unit of work.
          if (!(error instanceof StaleVersionError)) throw error;
        }
      }
      return changeGranules(
        store,
        [kapsule],
        (_, granules) => granules.upsert(id, inputs),
        async (unit, results) => {
          const { kapsule: present } = await changeable(unit, id, await presentCaller(unit, call.caller));
          await audit(unit, call, clock(), entryOn(present));
          return answerOf(results.get(id) ?? []);
        },
      );
    },

    /** Everything up to the watermark has reached the platform; what was edited since stays not reloaded. */
    async confirm(id: string, given: string, call: KnownCall): Promise<number> {
      const { kapsule } = await changeable(store, id, await presentCaller(store, call.caller));
      const watermark = watermarks.read(id, given);
      const latest = await granulesOf(store, kapsule).watermark(id);
      // Told before an earlier state of the database was restored.
      if (watermark > latest) throw new AppError('BAD_INPUT', 'This watermark is ahead of the last change.');
      return changeGranules(
        store,
        [kapsule],
        (_, granules) => granules.markReloaded(id, watermark),
        async (unit, results) => {
          const { kapsule: present } = await changeable(unit, id, await presentCaller(unit, call.caller));
          const reloaded = results.get(id) ?? 0;
          const after = { count: reloaded, watermark };
          await audit(unit, call, clock(), { action: 'granule.reloaded', target: targetOf(present), after });
          return reloaded;
        },
      );
    },
  };
}
