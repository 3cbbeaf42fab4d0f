import { type Nouns, type Store, UnavailableError, type Unit } from '@kaptain/store';
import { Semaphore } from '@kaptain/store/semaphore';
import { storedName } from '../../base/config/settings/certificate-files.ts';
import { type SavedGeneration, serverFiles } from '../../base/config/settings/generation-file.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { asFileError } from '../../base/errors/as-file-error.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import type { NewGeneration, SettingsHome, UploadKind } from '../settings/settings-home.ts';
import type { Rejected } from '../supervisor/messages.ts';
import { insertGeneration, joinSettings, prune } from './publish.ts';
import { rolloutIn } from './rollout-record.ts';
import { openGeneration, sealFile } from './sealed-settings.ts';
import { type CopyDeps, copyFiles, oldestFirst, withDb } from './settings-copy.ts';

interface Deps extends CopyDeps {
  store: Store;
  settings: KeptSettings;
}

/** The settings of all instances on one database; the data folder has a copy. */
export class SharedHome implements SettingsHome {
  readonly #deps: Deps;
  // Copies and saves of one process write the same files, so they take turns.
  readonly #mutex = new Semaphore(1);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Fetches generations that other instances saved or took back, and stores one that the host's admin has chosen. */
  async fetch(): Promise<void> {
    const { store, settings } = this.#deps;
    await this.#mutex.run(async () => {
      const { isChanged, replaced } = await joinSettings(store, this.#deps);
      if (replaced) settings.warn(replaced);
      if (isChanged) settings.refresh();
    });
  }

  async newest(): Promise<SavedGeneration> {
    try {
      await this.fetch();
    } catch (error) {
      // Another pepper, or settings of a newer version: the sentence says what to do.
      if (error instanceof ConfigError) throw new AppError('UNAVAILABLE', error.message);
      // On a disk that takes no copy, such as a full one, settings can be read all the same.
      const stored = asFileError(error) instanceof ConfigError ? await this.#stored() : undefined;
      if (!stored) throw error;
      return stored;
    }
    return this.#deps.generations.newest();
  }

  /** The newest settings in the database, with the `db` block of this instance. */
  async #stored(): Promise<SavedGeneration | undefined> {
    const { store, generations, key } = this.#deps;
    const records = oldestFirst(await store.settingsGenerations.all());
    const newest = records.findLast(({ rejected }) => rejected === null);
    return newest && withDb(openGeneration(newest, key), generations.newest().settings.db);
  }

  async add(
    next: NewGeneration,
    before: SavedGeneration,
    audited: (unit: Unit, saved: SavedGeneration) => Promise<void>,
  ): Promise<SavedGeneration | undefined> {
    const { store, generations } = this.#deps;
    return this.#mutex.run(async () => {
      const after = await this.#following(store, before);
      if (after === undefined) return undefined;
      const saved = { ...next, generation: after };
      // A mark whose settings are gone would be taken for one of these.
      if (!generations.numbers().includes(after)) generations.remove(after);
      // First, as in the other home: a disk that can't take the file fails the whole save.
      if (!generations.create(saved)) return undefined;
      let isStored = false;
      try {
        isStored = await store.transaction(async (unit) => {
          if ((await this.#following(unit, before)) !== after) return false;
          await insertGeneration(unit, saved, null, this.#deps);
          await prune(unit, saved, this.#deps);
          await this.#settleUploads(unit);
          await audited(unit, saved);
          return true;
        });
      } finally {
        if (!isStored) generations.remove(after);
      }
      if (!isStored) return undefined;
      try {
        generations.noteShared(after);
      } catch {
        // The next copy notes it.
      }
      return saved;
    });
  }

  /** Ends the wait of the uploads that this save has seen, whether or not it uses them; one that came since waits on. */
  async #settleUploads(unit: Unit): Promise<void> {
    const { certificates } = this.#deps;
    for (const name of serverFiles) {
      const seen = certificates.waiting(name);
      const records = await unit.settingsFiles.findBy('name', name);
      await unit.settingsFiles.removeMany(
        records.filter(({ waitingFor }) => waitingFor === seen).map(({ id }) => id),
      );
    }
  }

  /** The number of a save that follows `before`; undefined when another save came after it. */
  async #following(nouns: Nouns, before: SavedGeneration): Promise<number | undefined> {
    const records = oldestFirst(await nouns.settingsGenerations.all());
    const newest = records.findLast(({ rejected }) => rejected === null);
    if ((newest?.generation ?? 0) !== before.generation) return undefined;
    return (records.at(-1)?.generation ?? 0) + 1;
  }

  fetchUploads(): Promise<void> {
    return this.#mutex.run(() => copyFiles(this.#deps.store, this.#deps));
  }

  addUpload(
    kind: UploadKind,
    bytes: Buffer,
    audited: (unit: Unit, name: string) => Promise<void>,
  ): Promise<string> {
    const { store, certificates, key } = this.#deps;
    const at = new Date().toISOString();
    return this.#mutex.run(async () => {
      const isPlatform = kind === 'platform';
      const stored = storedName(bytes, isPlatform ? 'platform.pem' : kind);
      const name = isPlatform ? stored : kind;
      const shown = isPlatform ? certificates.keepForPlatform(bytes) : kind;
      const waitingFor = isPlatform ? null : stored;
      await store.transaction(async (unit) => {
        for (const { id } of await unit.settingsFiles.findBy('name', name))
          await unit.settingsFiles.remove(id);
        await unit.settingsFiles.insert({ name, sealed: sealFile(name, bytes, key), at, waitingFor });
        await audited(unit, shown);
      });
      if (!isPlatform) certificates.stage(kind, bytes);
      return shown;
    });
  }

  /** Stores that an instance became ready with a generation, which is then never taken back for all. */
  async markApplied(generation: number): Promise<void> {
    await this.#deps.store.transaction(async (unit) => {
      const [record] = await unit.settingsGenerations.findBy('generation', generation);
      if (record?.appliedAt === null)
        await unit.settingsGenerations.patch(record.id, { appliedAt: new Date().toISOString() });
    });
  }

  /** Takes a generation back for all instances, unless one of them became ready with it; returns whether it was taken back. */
  async reject({ generation, reason }: Rejected, audited: (unit: Unit) => Promise<void>): Promise<boolean> {
    const { store, settings, generations } = this.#deps;
    const at = new Date().toISOString();
    const isForAll = await store.transaction(async (unit) => {
      const [record] = await unit.settingsGenerations.findBy('generation', generation);
      const isFirst = record?.appliedAt === null;
      if (record && isFirst) {
        const head = await rolloutIn(unit);
        await unit.settingsGenerations.patch(record.id, { rejected: { at, reason } });
        // The version of the document tells the other instances that something has changed.
        await unit.rollout.patch(head.id, { generation: head.generation });
      }
      await audited(unit);
      return isFirst;
    });
    generations.setMark(generation, { status: isForAll ? 'rejected' : 'failed', at, reason });
    settings.refresh();
    return isForAll;
  }
}

export const isOutage = (error: unknown): boolean => error instanceof UnavailableError;
