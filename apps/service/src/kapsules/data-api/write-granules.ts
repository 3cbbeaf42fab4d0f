import type { api, Given } from '@kaptain/contract';
import type { GranuleInput, KapsuleRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { KnownCall } from '../../base/call/call.ts';
import { KeyedMutex } from '../../http/limits/keyed-mutex.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import { saveOrPropose } from '../approvals/save-or-propose.ts';
import { changeGranules, granulesOf } from '../granules/granules-of.ts';
import { importable, targetOf } from '../kapsules/kapsule-access.ts';
import { threadFieldsOf, withStoredThreads } from '../threads/stored-threads.ts';
import { checkRows } from '../values/check-rows.ts';
import { savedChecks } from '../values/saved-checks.ts';
import { changePointOf } from './change-point.ts';
import type { DataApiDeps } from './data-api-deps.ts';
import { granuleSaving, requireFitting } from './granule-saving.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { upsertAnswer } from './upsert-answer.ts';

type Body = Given<typeof api.dataApi.upsert>['body'];

/** The number of keys that an audit entry lists. */
const NAMED = 100;

export function writeGranules(deps: DataApiDeps) {
  const { store, clock, watermarks } = deps;
  const saving = granuleSaving(deps);
  const propose = saveOrPropose(deps);
  const checksOf = savedChecks();
  /** By kapsule: saves that are repeated because another writer was faster. */
  const turns = new KeyedMutex();

  /** Replaces the values that a save has for thread fields by the stored threads. */
  const keepThreads = async (kapsule: KapsuleRecord, rows: readonly GranuleInput[]) =>
    threadFieldsOf(kapsule).length === 0
      ? rows
      : withStoredThreads(granulesOf(deps, kapsule), kapsule, rows, {
          mayBring: false,
          earlier: new Set(),
        });

  return {
    async upsert(
      id: string,
      { granules: rows, comment }: Body,
      call: KnownCall,
    ): Promise<ReturnType<typeof upsertAnswer>> {
      const ofCaller = new Set(rows.map(({ key, version }) => `${version} ${key}`));
      const { stored, proposed } = await retryConflicts(
        async () => {
          const admitted = await saving.admit(id, call);
          const user = admitted.writer.author;
          const inputs = rows.map(({ key, data, version }) => ({
            key,
            data,
            user,
            ...(version !== undefined && { version }),
          }));
          // A row that is too large is refused before its threads are read and its members are compared.
          requireFitting(inputs, deps.granuleBytes);
          const { kapsule } = admitted;
          const known = await deps.readKnownValues(kapsule, admitted.writer.caller, inputs);
          const checks = checksOf(kapsule, known, admitted.locks);
          const checked = await checkRows(granulesOf(deps, kapsule), kapsule, checks, inputs);
          const kept = await keepThreads(kapsule, checked);
          const change = (saved: readonly GranuleInput[]) => ({
            action: 'granule.upsert' as const,
            after: { count: saved.length, keys: saved.slice(0, NAMED).map(({ key }) => key), user },
          });
          if (!kapsule.approval)
            return { stored: await saving.save(admitted, kept, change(kept), call), proposed: undefined };
          return propose(admitted, checks, kept, comment, change, call);
        },
        {
          isOurs: ({ conflicts }) =>
            !conflicts.some(({ key, givenVersion }) => ofCaller.has(`${givenVersion} ${key}`)),
          inTurn: (tries) => turns.run(id, tries),
        },
      );
      return upsertAnswer(stored, proposed);
    },

    /** Marks all granules up to the watermark as reloaded; those edited later stay not reloaded. */
    async confirm(id: string, given: string, call: KnownCall): Promise<number> {
      const { kapsule } = await importable(store, id, await presentCaller(store, call.caller));
      const watermark = watermarks.read(given, await changePointOf(deps, kapsule));
      return changeGranules(
        deps,
        [kapsule],
        (_, granules) => granules.markReloaded(id, watermark),
        async (unit, results) => {
          const { kapsule: present } = await importable(unit, id, await presentCaller(unit, call.caller));
          const reloaded = results.get(id) ?? 0;
          const after = { count: reloaded, watermark };
          await audit(unit, call, clock(), { action: 'granule.reloaded', target: targetOf(present), after });
          return reloaded;
        },
      );
    },
  };
}
