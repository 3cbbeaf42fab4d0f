import { StaleVersionError } from '../../errors.ts';
import type { Saved, Saving } from '../../saving.ts';
import type { Nouns } from '../../store.ts';
import { toRow } from '../shared/granule-row.ts';
import { upsertRows } from './granules/upsert.ts';
import type { Needs, PendingWrites } from './pending-writes.ts';

/** The reads of `save`. */
export const needsOf = ({ kapsuleId, rows, dependsOn, entry, toSeal }: Saving): Needs => ({
  kapsuleId,
  keys: rows.map(({ key }) => key),
  documents: [
    ...dependsOn.map(({ noun, id }) => [noun, id] as const),
    // Their ids must be new.
    ...(entry.id === undefined ? [] : [['audit', entry.id] as const]),
    ...(toSeal?.id === undefined ? [] : [['toSeal', toSeal.id] as const]),
  ],
});

/** A save as a small write: those that wait meanwhile share its commit. */
export async function save(pending: PendingWrites, nouns: Nouns, saving: Saving): Promise<Saved> {
  const { kapsuleId, rows, dependsOn, entry, toSeal } = saving;
  const granuleRows = rows.map(toRow);
  await Promise.all(
    dependsOn.map(async ({ noun, id, version }) => {
      const stored = await nouns[noun].get(id);
      if (!stored || (version !== undefined && version !== stored.version))
        throw new StaleVersionError(noun, id);
    }),
  );
  const granules = await upsertRows(await pending.kapsule(kapsuleId, true), granuleRows);
  const inserted = await nouns.audit.insert(entry);
  if (toSeal) await nouns.toSeal.insert(toSeal);
  return { granules, entry: inserted };
}
