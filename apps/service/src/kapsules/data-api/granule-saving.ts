import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { SeenLock } from '@kaptain/contract/locks';
import {
  type GranuleInput,
  type KapsuleRecord,
  StaleVersionError,
  type StoredGranule,
  type Unit,
} from '@kaptain/store';
import { type AuditEntry, audit, auditRecord } from '../../base/audit/audit.ts';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { shownKey, tooLargeMessage } from '../granules/granule-size.ts';
import { changeGranules } from '../granules/granules-of.ts';
import { type SeenKapsule, targetOf, writable } from '../kapsules/kapsule-access.ts';
import { OvertakenError } from '../locks/overtaken-error.ts';
import { areSameForAll, seenLocksOf } from '../locks/seen-locks-of.ts';
import type { SavingDeps } from './data-api-deps.ts';
import { knownWriter, presentWriter, type Writer } from './writer.ts';

/** A writer and the kapsule that they may write into, as read now. */
export interface Admitted extends SeenKapsule {
  writer: Writer;
  /** As the writer meets them. */
  locks: SeenLock[];
}

/**
 * A save must not pass a rule, a lock or an approval that was added since the kapsule was read, nor write into a field that has become a thread. Locks
 * may also have changed with the groups of the writer or with time.
 */
function requireSameRules(present: Pick<Admitted, 'kapsule' | 'locks'>, read: Admitted): void {
  const rulesOf = ({ kapsule: { fields, approval = null }, locks }: typeof present) => ({
    fields,
    approval,
    locks,
  });
  if (!isDeepStrictEqual(rulesOf(present), rulesOf(read))) throw new OvertakenError();
}

/** Measures the JSON in UTF-8, as the store stores it. */
export function requireFitting(rows: readonly Pick<GranuleInput, 'key' | 'data'>[], most: number): void {
  for (const { key, data } of rows) {
    const bytes = Buffer.byteLength(JSON.stringify(data));
    if (bytes > most)
      throw new AppError('TOO_LARGE', tooLargeMessage(`The record ${shownKey(key)}`, bytes, most));
  }
}

/** Stores rows of one kapsule together with their audit entry, if the writer still may. */
export function granuleSaving(deps: SavingDeps) {
  const { store, clock, granuleBytes } = deps;
  return {
    async admit(id: string, call: KnownCall): Promise<Admitted> {
      const writer = knownWriter(call) ?? (await presentWriter(store, call));
      const found = await writable(store, id, writer.caller);
      return { writer, ...found, locks: await seenLocksOf(store, found.kapsule, writer.caller, clock()) };
    },

    async save(
      admitted: Admitted,
      rows: readonly GranuleInput[],
      change: Pick<AuditEntry, 'action' | 'after'>,
      call: KnownCall,
      /** Further writes in the same unit of work. */
      alongside?: (unit: Unit, stored: readonly StoredGranule[]) => Promise<void>,
    ): Promise<StoredGranule[]> {
      requireFitting(rows, granuleBytes);
      const { writer, kapsule, groups } = admitted;
      const { id } = kapsule;
      const entryOn = (present: KapsuleRecord): AuditEntry => ({ ...change, target: targetOf(present) });
      if (kapsule.database === DEFAULT_DATABASE && !alongside && areSameForAll(kapsule)) {
        const dependsOn = [
          ...writer.dependsOn,
          { noun: 'kapsules' as const, id, version: kapsule.version },
          ...groups.map((group) => ({ noun: 'groups' as const, id: group.id, version: group.version })),
        ];
        const entry = auditRecord(call, clock(), entryOn(kapsule));
        try {
          return (await store.save({ kapsuleId: id, rows, dependsOn, entry })).granules;
        } catch (error) {
          // The caller, the kapsule or a group was changed meanwhile: the unit of work below reads them again.
          if (!(error instanceof StaleVersionError)) throw error;
        }
      }
      return changeGranules(
        deps,
        [kapsule],
        (_, granules) => granules.upsert(id, rows),
        async (unit, results) => {
          const { caller } = await presentWriter(unit, call);
          const { kapsule: present } = await writable(unit, id, caller);
          const locks = await seenLocksOf(unit, present, caller, clock());
          requireSameRules({ kapsule: present, locks }, admitted);
          const stored = results.get(id) ?? [];
          await alongside?.(unit, stored);
          if (rows.length > 0) await audit(unit, call, clock(), entryOn(present));
          return stored;
        },
      );
    },
  };
}
