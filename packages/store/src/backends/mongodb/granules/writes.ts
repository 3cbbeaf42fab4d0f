import type { GranuleWrites } from '../../../granules.ts';
import { toRow } from '../../shared/granule-row.ts';
import type { PendingWrites } from '../pending-writes.ts';
import { markReloaded } from './mark-reloaded.ts';
import { purgeKapsule } from './purge.ts';
import { removeMany, restoreMany } from './remove.ts';
import { upsertRows } from './upsert.ts';

/** Runs a step that writes: in a unit of its own, or as part of one. */
type Write = <T>(step: (pending: PendingWrites) => Promise<T>) => Promise<T>;

export function granuleWrites(write: Write): GranuleWrites {
  return {
    async upsert(kapsuleId, inputs) {
      const rows = inputs.map(toRow);
      return await write(async (pending) => upsertRows(await pending.kapsule(kapsuleId, true), rows));
    },
    removeMany: (ids, by) => write((pending) => removeMany(pending, ids, by)),
    restoreMany: (ids, by) => write((pending) => restoreMany(pending, ids, by)),
    markReloaded: (kapsuleId, watermark) => write((pending) => markReloaded(pending, kapsuleId, watermark)),
    purgeKapsule: (kapsuleId) => write((pending) => purgeKapsule(pending, kapsuleId)),
  };
}
