import { isDeepStrictEqual } from 'node:util';
import type { Nouns, SettingsGenerationRecord, Store } from '@kaptain/store';
import type { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import { type SavedGeneration, serverFiles } from '../../base/config/settings/generation-file.ts';
import type { Generations } from '../../base/config/settings/generations.ts';
import { nameOf } from '../../base/config/settings/notices.ts';
import { pruneFiles } from '../../base/config/settings/prune-files.ts';
import { auditRollBack } from '../settings/trail.ts';
import { openFile, openGeneration } from './sealed-settings.ts';

export interface CopyDeps {
  generations: Generations;
  certificates: CertificateFiles;
  key: () => Buffer;
  /** The generation that this process has started with. */
  running: number;
}

export const oldestFirst = (records: readonly SettingsGenerationRecord[]): SettingsGenerationRecord[] =>
  records.toSorted((a, b) => a.generation - b.generation);

/** Whether both are the same save; an earlier version may have read less of it than this one. */
export const isSameSave = (a: SavedGeneration, b: SavedGeneration): boolean =>
  a.at === b.at && isDeepStrictEqual(a.by, b.by) && isDeepStrictEqual(a.changed, b.changed);

/** Whether both have the same settings; the `db` block may differ. */
function isSameContent(a: SavedGeneration, b: SavedGeneration): boolean {
  const [own, other] = [a, b].map(({ files, settings }) => ({
    files,
    settings: { ...settings, db: undefined },
  }));
  return isDeepStrictEqual(own, other);
}

/** The generation in the data folder; undefined also when it can not be read. */
export const ownGeneration = ({ generations }: CopyDeps, number: number): SavedGeneration | undefined =>
  generations.read(number, () => undefined);

/** The result of a copy. */
export interface Copied {
  /** The data folder has taken other settings. */
  isChanged: boolean;
  /** One sentence about settings of the data folder that are no longer used; undefined when there are none. */
  replaced: string | undefined;
}

/** Makes the data folder a copy of the settings in the database. */
export async function copySettings(store: Store, deps: CopyDeps): Promise<Copied> {
  const { generations, key } = deps;
  const records = oldestFirst(await store.settingsGenerations.all());
  const newest = records.at(-1);
  if (!newest) return { isChanged: false, replaced: undefined };
  await copyFiles(store, deps);
  // Each instance keeps its own `db` block.
  const { db } = generations.newest().settings;
  const shared = records.map((record) => openGeneration(record, key));
  const replaced = await auditReplaced(store, shared, deps);
  // If the process dies in between, the next start must not take settings of this folder for ones that follow.
  if (replaced) generations.noteShared(0);
  let isChanged = false;
  for (const saved of shared) isChanged = copyGeneration(saved, db, deps) || isChanged;
  for (const { generation, rejected } of records)
    if (rejected && generations.mark(generation)?.status !== 'rejected') {
      generations.setMark(generation, { status: 'rejected', ...rejected });
      isChanged = true;
    }
  for (const number of generations.numbers().filter((number) => number > newest.generation)) {
    generations.setAside(number);
    isChanged = true;
  }
  generations.noteShared(newest.generation);
  if (isChanged) pruneFiles(generations, deps.certificates, deps.running);
  return { isChanged, replaced };
}

/** Settings of this folder that were saved and acknowledged go out of use: everyone who looks is told. */
async function auditReplaced(
  store: Store,
  shared: readonly SavedGeneration[],
  deps: CopyDeps,
): Promise<string | undefined> {
  const { generations } = deps;
  const newest = shared.at(-1);
  if (!newest) return undefined;
  const replaced = generations.numbers().filter((number) => {
    if (generations.mark(number)?.status === 'rejected') return false;
    const own = ownGeneration(deps, number);
    const other = shared.find(({ generation }) => generation === number);
    return own && (other ? !isSameSave(own, other) : number > newest.generation);
  });
  if (replaced.length === 0) return undefined;
  const reason = `The database has other settings: ${nameOf(newest)}.`;
  await store.transaction(async (unit) => {
    for (const generation of replaced) await auditRollBack(unit, { generation, reason }, Date.now());
  });
  return `${reason} Those of this data folder (generation ${replaced.toReversed().join(', ')}) are not used; they are kept in ${generations.folder} as ….json.replaced.`;
}

type Block = SavedGeneration['settings']['db'];

/** With the block of one instance, which is not shared. */
export const withDb = (saved: SavedGeneration, db: Block): SavedGeneration => ({
  ...saved,
  settings: { ...saved.settings, ...(db && { db }) },
});

/** Whether it had to be written. */
function copyGeneration(saved: SavedGeneration, db: Block, deps: CopyDeps): boolean {
  const { generations } = deps;
  const own = ownGeneration(deps, saved.generation);
  if (!own || !isSameSave(own, saved)) generations.put(withDb(saved, db));
  else if (!isSameContent(own, saved)) generations.rewrite(withDb(saved, own.settings.db));
  else return false;
  return true;
}

/** Writes the files of settings, and uploads that wait for a save, into the data folder. */
export async function copyFiles(store: Nouns, { certificates, key }: CopyDeps): Promise<void> {
  const records = await store.settingsFiles.all();
  for (const { name, sealed } of records.filter(({ waitingFor }) => waitingFor === null))
    if (!certificates.has(name, {})) certificates.keepNamed(name, openFile(name, sealed, key));
  for (const name of serverFiles) {
    const upload = records.find((record) => record.name === name);
    if (!upload) certificates.unstage(name);
    else if (certificates.waiting(name) !== upload.waitingFor)
      certificates.stage(name, openFile(name, upload.sealed, key));
  }
}
