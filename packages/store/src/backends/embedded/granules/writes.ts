import type { GranuleWrites, StoredGranule } from '../../../granules.ts';
import { toRow } from '../../shared/granule-row.ts';
import type { GranuleMethod } from './commands.ts';
import type { Touched } from './remove.ts';

type Call = (method: GranuleMethod, args: unknown[]) => Promise<unknown>;

/** The writes, sent to the writer by `call`; `touched` is called for every kapsule that they change. */
export function granuleWrites(call: Call, touched: (kapsuleId: string) => void): GranuleWrites {
  const onIds = async (method: 'removeMany' | 'restoreMany', ids: readonly string[], by: string) => {
    const { ids: changed, kapsuleIds } = (await call(method, [ids, by])) as Touched;
    kapsuleIds.forEach(touched);
    return changed;
  };
  const onKapsule = async (method: GranuleMethod, kapsuleId: string, ...args: unknown[]) => {
    const result = await call(method, [kapsuleId, ...args]);
    touched(kapsuleId);
    return result;
  };
  return {
    upsert: async (kapsuleId, rows) =>
      (await onKapsule('upsertRows', kapsuleId, rows.map(toRow))) as StoredGranule[],
    removeMany: (ids, by) => onIds('removeMany', ids, by),
    restoreMany: (ids, by) => onIds('restoreMany', ids, by),
    markReloaded: async (kapsuleId, watermark) =>
      (await onKapsule('markReloaded', kapsuleId, watermark)) as number,
    purgeKapsule: async (kapsuleId) => {
      await onKapsule('purgeKapsule', kapsuleId);
    },
  };
}
