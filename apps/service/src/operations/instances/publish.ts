import type { Store, Unit } from '@kaptain/store';
import { storedNamesIn } from '../../base/config/settings/certificate-files.ts';
import type { SavedGeneration } from '../../base/config/settings/generation-file.ts';
import { rolloutIn } from './rollout-record.ts';
import { openGeneration, sealFile, sealGeneration } from './sealed-settings.ts';
import {
  type Copied,
  type CopyDeps,
  copySettings,
  isSameSave,
  oldestFirst,
  ownGeneration,
} from './settings-copy.ts';

const KEPT = 10;
const UNUSED_MS = 86_400_000;

/** Stores a generation with the files that it names and the database lacks. */
export async function insertGeneration(
  unit: Unit,
  saved: SavedGeneration,
  appliedAt: string | null,
  { certificates, key }: CopyDeps,
): Promise<void> {
  const { generation, at } = saved;
  const records = oldestFirst(await unit.settingsGenerations.all());
  const before = records.findLast(({ rejected }) => rejected === null);
  const sealed = sealGeneration(saved, before, key);
  const record = { generation, at, sealed, appliedAt, rejected: null };
  await unit.settingsGenerations.insert(record);
  for (const name of storedNamesIn({ files: saved.files, hosts: saved.settings.hosts })) {
    const bytes = certificates.read(name);
    const [known] = await unit.settingsFiles.findBy('name', name);
    if (bytes && !known)
      await unit.settingsFiles.insert({ name, sealed: sealFile(name, bytes, key), at, waitingFor: null });
  }
  const head = await rolloutIn(unit);
  await unit.rollout.patch(head.id, { generation });
}

/** Keeps the last ten generations, and the files that they name; a platform file may wait a day for its save. */
export async function prune(unit: Unit, saved: SavedGeneration, deps: CopyDeps): Promise<void> {
  const records = oldestFirst(await unit.settingsGenerations.all());
  await unit.settingsGenerations.removeMany(records.slice(0, -KEPT).map(({ id }) => id));
  const kept = records.slice(-KEPT).map(({ generation }) => ownGeneration(deps, generation) ?? {});
  const used = storedNamesIn([saved, ...kept]);
  const old = new Date(Date.parse(saved.at) - UNUSED_MS).toISOString();
  const files = await unit.settingsFiles.all();
  const unused = files.filter(({ name, waitingFor, at }) =>
    waitingFor === null ? !used.includes(name) && at < old : used.includes(waitingFor),
  );
  await unit.settingsFiles.removeMany(unused.map(({ id }) => id));
}

/** Generations of the data folder that the database lacks: all, or those that follow its newest one. */
async function unpublished(store: Store, deps: CopyDeps) {
  const newest = oldestFirst(await store.settingsGenerations.all()).at(-1);
  const { generations, key } = deps;
  const numbers = generations
    .numbers()
    .toReversed()
    .filter((number) => generations.mark(number)?.status !== 'rejected');
  const all = numbers.flatMap((number) => ownGeneration(deps, number) ?? []);
  if (!newest) return { after: 0, following: all };
  const { generation: after } = newest;
  const same = ownGeneration(deps, after);
  const wasCopied = generations.lastShared() >= after;
  const isBehind = wasCopied && same !== undefined && isSameSave(same, openGeneration(newest, key));
  return { after, following: isBehind ? all.filter(({ generation }) => generation > after) : [] };
}

/**
 * Stores the settings of the data folder in a database that has none, or that has the ones before them: those of an earlier
 * version, or that the host's admin has chosen. Then takes the settings of the database.
 */
export async function joinSettings(store: Store, deps: CopyDeps): Promise<Copied> {
  const { after, following } = await unpublished(store, deps);
  if (following.length > 0)
    await store.transaction(async (unit) => {
      const newest = oldestFirst(await unit.settingsGenerations.all()).at(-1);
      // Another instance was first.
      if ((newest?.generation ?? 0) !== after) return;
      for (const saved of following) {
        const mark = deps.generations.mark(saved.generation);
        await insertGeneration(unit, saved, mark?.status === 'applied' ? mark.at : null, deps);
      }
    });
  return copySettings(store, deps);
}
