import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createDurably, type FileSystem, realFiles, replaceDurably } from './durable-file.ts';
import { type ServerFile, type ServerFiles, serverFiles } from './generation-file.ts';

const FOLDER = 'certificates';
/** Names that this class has generated: a caller's text is never used as a path. */
const STORED = /^[0-9a-f]{32}-(platform\.pem|server\.pfx|server\.pem|server_key\.pem)$/;
const UNUSED_MS = 86_400_000;

/** The stored files that a saved generation names. */
export const storedNamesIn = (saved: object): string[] => [
  ...new Set(JSON.stringify(saved).match(new RegExp(STORED.source.slice(1, -1), 'g')) ?? []),
];

export const storedName = (bytes: Buffer, name: string): string =>
  `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}-${name}`;

/** Certificates and keys in the data folder. A stored file never changes: its name is a hash of its content. */
export class CertificateFiles {
  readonly #folder: string;
  readonly #staged: string;
  readonly #files: FileSystem;

  constructor(dataDir: string, files: FileSystem = realFiles) {
    this.#folder = join(dataDir, FOLDER);
    this.#staged = join(this.#folder, 'staged');
    this.#files = files;
  }

  #keep(bytes: Buffer, name: string): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const stored = storedName(bytes, name);
    try {
      createDurably(this.#files, join(this.#folder, stored), bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return stored;
  }

  /** Stores an upload until the settings that use it are saved; the active files stay unchanged. */
  stage(name: ServerFile, bytes: Buffer): void {
    mkdirSync(this.#staged, { recursive: true, mode: 0o700 });
    replaceDurably(this.#files, join(this.#staged, name), bytes);
  }

  /** Stores a file for the platform connection; returns its name for the settings. */
  keepForPlatform(bytes: Buffer): string {
    return `${FOLDER}/${this.#keep(bytes, 'platform.pem')}`;
  }

  /** Reads a file by the name that `keepForPlatform` returned. */
  readForPlatform(name: string): Buffer | undefined {
    return name.startsWith(`${FOLDER}/`) ? this.read(name.slice(FOLDER.length + 1)) : undefined;
  }

  /** The files that the next save will use: staged uploads replace those of the current settings. */
  next(files: ServerFiles): ServerFiles {
    const waiting = serverFiles.flatMap((name) => {
      const bytes = this.#read(join(this.#staged, name));
      return bytes ? [[name, this.#keep(bytes, name)] as const] : [];
    });
    return { ...files, ...Object.fromEntries(waiting) };
  }

  /** Stores a server file of an imported configuration. */
  keepServerFile(name: ServerFile, bytes: Buffer): string {
    return this.#keep(bytes, name);
  }

  /** Stores a file under the name that another instance has given it. */
  keepNamed(stored: string, bytes: Buffer): void {
    const name = STORED.exec(stored)?.[1];
    if (name !== undefined && storedName(bytes, name) === stored) this.#keep(bytes, name);
  }

  /** The name that a waiting upload gets with the save; undefined without an upload. */
  waiting(name: ServerFile): string | undefined {
    const bytes = this.#read(join(this.#staged, name));
    return bytes && storedName(bytes, name);
  }

  /** Called when another instance has saved the upload, or received another one. */
  unstage(name: ServerFile): void {
    this.#files.rmSync(join(this.#staged, name), { force: true });
  }

  /** Called after a save: the staged uploads now belong to the settings. */
  settle(): void {
    for (const name of serverFiles) this.unstage(name);
  }

  /** The bytes of a stored file. */
  read(stored: string): Buffer | undefined {
    return STORED.test(stored) ? this.#read(join(this.#folder, stored)) : undefined;
  }

  #read(path: string): Buffer | undefined {
    try {
      return this.#files.readFileSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Whether a file exists, by one of the three fixed names or a generated name. */
  has(name: string, files: ServerFiles): boolean {
    const fixed = serverFiles.find((file) => file === name);
    if (fixed && existsSync(join(this.#staged, fixed))) return true;
    const stored = fixed ? files[fixed] : name.replace(`${FOLDER}/`, '');
    return stored !== undefined && STORED.test(stored) && existsSync(join(this.#folder, stored));
  }

  /**
   * Removes files that no stored generation uses and that are a day old, so that a staged upload can wait for its
   * save.
   */
  prune(isUsed: (stored: string) => boolean): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (!STORED.test(name) || isUsed(name) || age < UNUSED_MS) continue;
      this.#files.rmSync(path, { force: true });
    }
  }
}
