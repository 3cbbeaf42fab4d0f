import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { ConfigError } from '../config-error.ts';
import { createDurably, type FileSystem, isDraft, realFiles, replaceDurably } from './durable-file.ts';
import { DamagedError, decodeGeneration, encodeGeneration, type SavedGeneration } from './generation-file.ts';
import { normalised } from './normalised.ts';

const KEPT = 10;
const DRAFT_MS = 60_000;
const FILE = /^(\d{6,})\.json$/;

/** Whether the service could start with a generation. */
export interface Mark {
  status: 'applied' | 'rejected';
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

  /** Newest first. */
  numbers(): number[] {
    return this.#names()
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
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

  /** The newest readable generation, without those with which the service could not start. */
  newest(without?: number): SavedGeneration {
    const usable = this.numbers().filter(
      (number) => number !== without && this.mark(number)?.status !== 'rejected',
    );
    for (const number of usable) {
      const found = this.read(number);
      if (found) return found;
    }
    if (usable.length === 0) return nothingSaved();
    throw new ConfigError(
      `The settings in ${this.folder} can't be read: restore them from a backup, or move the folder away to start with defaults.`,
    );
  }

  /** Undefined when another save has taken the number first. */
  add(saved: Omit<SavedGeneration, 'generation'>): SavedGeneration | undefined {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const generation = (this.numbers()[0] ?? 0) + 1;
    const whole = { ...saved, generation };
    try {
      createDurably(this.#files, this.#path(generation, 'json'), encodeGeneration(whole, this.#key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw error;
    }
    return whole;
  }

  remove(generation: number): void {
    for (const ending of ['json', 'mark'])
      this.#files.rmSync(this.#path(generation, ending), { force: true });
  }

  /** Keeps the last ten generations and the active one. */
  prune(running: number): void {
    for (const number of this.numbers().slice(KEPT)) if (number !== running) this.remove(number);
  }

  /** Removes files of interrupted writes; a recent one may belong to a write in progress. */
  sweep(): void {
    for (const name of this.#names().filter(isDraft)) {
      const path = join(this.folder, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > DRAFT_MS) this.#files.rmSync(path, { force: true });
    }
  }
}
