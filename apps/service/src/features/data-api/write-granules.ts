import { type api, DEFAULT_DATABASE, type Given } from '@kaptain/contract';
import { type KapsuleRecord, StaleVersionError } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { KnownCall } from '../../http/call.ts';
import { shownKey, tooLargeMessage } from '../../kapsule-rules/granule-size.ts';
import { changeGranules, granulesOf } from '../../kapsule-rules/granules-of.ts';
import { changeable, targetOf, writable } from '../../kapsule-rules/kapsule-access.ts';
import { type AuditEntry, audit, auditRecord } from '../../security/audit.ts';
import { presentCaller } from '../../security/present-caller.ts';
import type { DataApiDeps } from './data-api-deps.ts';
import { upsertAnswer } from './upsert-answer.ts';
import { knownWriter, presentWriter } from './writer.ts';

type Rows = Given<typeof api.dataApi.upsert>['body']['granules'];

/** The number of keys that an audit entry lists. */
const NAMED = 100;

/** Measures the JSON in UTF-8, as the store stores it. */
function requireFitting(rows: Rows, most: number): void {
  for (const { key, data } of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(data));
    if (bytes > most)
      throw new AppError('TOO_LARGE', tooLargeMessage(`The record ${shownKey(key)}`, bytes, most));
  }
}

export function granuleWriting(deps: DataApiDeps) {
  const { store, clock, watermarks, granuleBytes } = deps;
  return {
    async upsert(id: string, rows: Rows, call: KnownCall): Promise<ReturnType<typeof upsertAnswer>> {
      const writer = knownWriter(call) ?? (await presentWriter(store, call));
      const { kapsule, groups } = await writable(store, id, writer.caller);
      requireFitting(rows, granuleBytes);
      const user = writer.author;
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
      if (kapsule.database === DEFAULT_DATABASE) {
        const dependsOn = [
          ...writer.dependsOn,
          ...[kapsule].map((it) => ({ noun: 'kapsules' as const, id: it.id, version: it.version })),
          ...groups.map((it) => ({ noun: 'groups' as const, id: it.id, version: it.version })),
        ];
        const entry = auditRecord(call, clock(), entryOn(kapsule));
        try {
          return upsertAnswer((await store.save({ kapsuleId: id, rows: inputs, dependsOn, entry })).granules);
        } catch (error) {
          // The caller, the kapsule or a group was changed meanwhile: the unit of work below reads them again.
          if (!(error instanceof StaleVersionError)) throw error;
        }
      }
      return changeGranules(
        deps,
        [kapsule],
        (_, granules) => granules.upsert(id, inputs),
        async (unit, results) => {
          const { kapsule: present } = await writable(unit, id, (await presentWriter(unit, call)).caller);
          await audit(unit, call, clock(), entryOn(present));
          return upsertAnswer(results.get(id) ?? []);
        },
      );
    },

    /** Marks all granules up to the watermark as reloaded; those edited later stay not reloaded. */
    async confirm(id: string, given: string, call: KnownCall): Promise<number> {
      const { kapsule } = await changeable(store, id, await presentCaller(store, call.caller));
      const watermark = watermarks.read(id, given);
      const latest = await granulesOf(deps, kapsule).watermark(id);
      // The watermark was issued before a backup of the database was restored.
      if (watermark > latest) throw new AppError('BAD_INPUT', 'This watermark is ahead of the last change.');
      return changeGranules(
        deps,
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
