import type { GranuleWrites } from '../../../granules.ts';
import { toRow } from '../../shared/granule-row.ts';
import type { Draft } from '../pending-writes.ts';
import { markReloaded, purgeKapsule } from './other-writes.ts';
import { removeMany, restoreMany } from './remove.ts';
import { upsertRows } from './upsert.ts';

/** Runs a step that writes: in a unit of its own, or as part of one. */
export type Write = <T>(step: (draft: Draft) => Promise<T>) => Promise<T>;

export function granuleWrites(write: Write): GranuleWrites {
  return {
    async upsert(kapsuleId, inputs) {
      const rows = inputs.map(toRow);
      return await write(async (draft) => upsertRows(await draft.kapsule(kapsuleId, true), rows));
    },
    removeMany: (ids, by) => write((draft) => removeMany(draft, ids, by)),
    restoreMany: (ids, by) => write((draft) => restoreMany(draft, ids, by)),
    markReloaded: (kapsuleId, watermark) => write((draft) => markReloaded(draft, kapsuleId, watermark)),
    purgeKapsule: (kapsuleId) => write((draft) => purgeKapsule(draft, kapsuleId)),
  };
}
