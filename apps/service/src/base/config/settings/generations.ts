import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { ConfigError, SettingsError } from '../../errors/config-error.ts';
import { SETTINGS_DRAFT_MS } from '../../tuning.ts';
import { createDurably, type FileSystem, isDraft, realFiles, replaceDurably } from './durable-file.ts';
import { DamagedError, decodeGeneration, encodeGeneration, type SavedGeneration } from './generation-file.ts';
import { normalised } from './normalised.ts';

const KEPT = 10;
const REPLACED = 'replaced';
const SHARED = 'shared';
const FILE = /^(\d{6,})\.(json|mark)$/;

/** Whether the service could start with a generation. */
export interface Mark {
  /** failed: this instance could not start with it, but another one on the same database could. */
  status: 'applied' | 'rejected' | 'failed';
  at: string;
  reason: string | null;
}

/** The settings before the first save. */
export const nothingSaved = (): SavedGeneration => ({
  generation: 0,
  at: new Date(0).toISOString(),
  by: { action: 'settings.update', userId: null, username: null, ip: '', requestId: '' },
  changed: [],
  files: {},
  settings: normalised(SettingsUpdate.parse({ settings: {} })),
});

interface Options {
  folder: string;
  key: () => Buffer;
  /** Called for each file that is skipped. */
  warn?: (sentence: string) => void;
  files?: FileSystem;
}

/** The numbered generations of the settings, each in a file that is never changed. */
export class Generations {
  readonly folder: string;
  readonly #key: () => Buffer;
  readonly #warn: (sentence: string) => void;
  readonly #files: FileSystem;

  constructor({ folder, key, warn = () => undefined, files = realFiles }: Options) {
    this.folder = folder;
    this.#key = key;
    this.#warn = warn;
    this.#files = files;
  }

  #path(generation: number, ending: string): string {
    return join(this.folder, `${String(generation).padStart(6, '0')}.${ending}`);
  }

  #names(): string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new ConfigError(`The settings in ${this.folder} can't be opened: check the rights on it.`);
    }
  }

  fileOf(generation: number): string {
    return this.#path(generation, 'json');
  }

  #numbersOf(ending: 'json' | 'mark'): number[] {
    return this.#names()
      .map((name) => FILE.exec(name))
      .filter((match) => match?.[2] === ending)
      .map((match) => Number(match?.[1]))
      .sort((a, b) => b - a);
  }

  /** Newest first. */
  numbers(): number[] {
    return this.#numbersOf('json');
  }

  /** The generations with which the service has run, newest first, damaged and missing ones included. */
  applied(): number[] {
    return this.#numbersOf('mark').filter((number) => this.mark(number)?.status === 'applied');
  }

  /** Undefined when it does not exist or is damaged. */
  read(generation: number, warn = this.#warn): SavedGeneration | undefined {
    const file = this.#path(generation, 'json');
    try {
      return decodeGeneration(this.#files.readFileSync(file), file, this.#key, warn);
    } catch (error) {
      if (error instanceof DamagedError) {
        warn(`The settings in ${file} are damaged; the ones before them are used.`);
        return undefined;
      }
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  mark(generation: number): Mark | undefined {
    try {
      return JSON.parse(this.#files.readFileSync(this.#path(generation, 'mark'), 'utf8')) as Mark;
    } catch {
      return undefined;
    }
  }

  setMark(generation: number, mark: Mark): void {
    replaceDurably(this.#files, this.#path(generation, 'mark'), Buffer.from(`${JSON.stringify(mark)}\n`));
  }

  /**
   * The newest readable generation that was not taken back. After starts with those of `without` have failed, also without
   * the others with which this instance could not start.
   */
  newest(without: readonly number[] = []): SavedGeneration {
    const unusable = without.length === 0 ? ['rejected'] : ['rejected', 'failed'];
    const usable = this.numbers().filter(
      (number) => !without.includes(number) && !unusable.includes(this.mark(number)?.status ?? ''),
    );
    for (const number of usable) {
      const found = this.read(number);
      if (found) return found;
    }
    if (usable.length === 0) return nothingSaved();
    throw new SettingsError(
      `The settings in ${this.folder} can't be read: restore them from a backup, or move the folder away to start with defaults (the embedded database, HTTP).`,
    );
  }

  /** Undefined when another save has taken the number first. */
  add(saved: Omit<SavedGeneration, 'generation'>): SavedGeneration | undefined {
    // Above every mark too, which must not be taken for one of the new settings.
    const generation = Math.max(0, ...this.#numbersOf('json'), ...this.#numbersOf('mark')) + 1;
    const whole = { ...saved, generation };
    return this.create(whole) ? whole : undefined;
  }

  /** False when another save has taken the number first. */
  create(saved: SavedGeneration): boolean {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = this.#path(saved.generation, 'json');
    try {
      createDurably(this.#files, path, encodeGeneration(saved, this.#key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
    return true;
  }

  /** Stores a generation of the shared database under its number; a different one of this number is renamed. */
  put(saved: SavedGeneration): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = this.#path(saved.generation, 'json');
    const before = this.numbers().includes(saved.generation) ? this.#files.readFileSync(path) : undefined;
    if (before) replaceDurably(this.#files, `${path}.${REPLACED}`, before);
    replaceDurably(this.#files, path, encodeGeneration(saved, this.#key));
    this.#files.rmSync(this.#path(saved.generation, 'mark'), { force: true });
  }

  /** Stores the same save once more, of which an earlier version of the service has kept less; its mark stays. */
  rewrite(saved: SavedGeneration): void {
    replaceDurably(this.#files, this.#path(saved.generation, 'json'), encodeGeneration(saved, this.#key));
  }

  /** Ends the use of a generation that the shared database does not have; the file stays beside. */
  setAside(generation: number): void {
    const path = this.#path(generation, 'json');
    this.#files.renameSync(path, `${path}.${REPLACED}`);
    this.#files.rmSync(this.#path(generation, 'mark'), { force: true });
  }

  remove(generation: number): void {
    for (const ending of ['json', 'mark'])
      this.#files.rmSync(this.#path(generation, ending), { force: true });
  }

  /**
   * Notes the newest generation that a shared database has too, when all of this folder are those of the database: it is
   * kept, so that the settings after it follow there when the folder comes back. 0: other settings are being replaced.
   */
  noteShared(generation: number): void {
    if (this.lastShared() === generation) return;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    replaceDurably(this.#files, join(this.folder, SHARED), Buffer.from(`${generation}\n`));
  }

  /** 0 when there is none. */
  lastShared(): number {
    try {
      return Number(this.#files.readFileSync(join(this.folder, SHARED), 'utf8'));
    } catch {
      return 0;
    }
  }

  /**
   * Keeps the last ten generations, the active one, the last one with which the service has run, to which a start goes back,
   * and the last one that a shared database has too.
   */
  prune(running: number): void {
    const numbers = this.numbers();
    const applied = numbers.find((number) => this.mark(number)?.status === 'applied');
    const kept = [running, applied, this.lastShared()];
    for (const number of numbers.slice(KEPT)) if (!kept.includes(number)) this.remove(number);
  }

  /** The files of all settings as text, also of those that were set aside: they name certificate files. */
  texts(): string[] {
    const names = this.#names().filter((name) => /\.json(\.replaced)?$/.test(name));
    return names.flatMap((name) => {
      try {
        return [this.#files.readFileSync(join(this.folder, name), 'utf8')];
      } catch (error) {
        // Another worker of this instance has pruned it.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
  }

  /** Removes files of interrupted writes; a recent one may belong to a write in progress. */
  sweep(): void {
    for (const name of this.#names().filter(isDraft)) {
      const path = join(this.folder, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > SETTINGS_DRAFT_MS) this.#files.rmSync(path, { force: true });
    }
  }
}
