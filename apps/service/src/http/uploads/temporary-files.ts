import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/config/make-folder.ts';

/** A backup that is being written has the name of its process behind it. */
const NAME = /^(?:upload|backup)-(\d+)-[0-9a-f]{32}(\.\d+\.part(-journal)?)?$/;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface TemporaryFile {
  path: string;
  handle: FileHandle;
}

/** Files that last as long as one request, or a backup until it is downloaded. Their names contain the id of their process. */
export class TemporaryFiles {
  readonly #folder: string;
  readonly #kind: 'upload' | 'backup';

  constructor(folder: string, kind: 'upload' | 'backup' = 'upload') {
    this.#folder = folder;
    this.#kind = kind;
  }

  async create(): Promise<TemporaryFile> {
    makeFolder(this.#folder);
    const path = join(this.#folder, `${this.#kind}-${process.pid}-${randomBytes(16).toString('hex')}`);
    return { path, handle: await open(path, 'wx+', 0o600) };
  }

  /** Retries, because a virus scanner on Windows may hold a new file for a short time. */
  async remove(path: string): Promise<void> {
    await rm(path, { force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
  }

  /** Removes files of processes that have ended; another worker may still be finishing its requests. */
  sweep(): void {
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      return;
    }
    for (const name of names) {
      const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(pid) || (pid !== process.pid && isRunning(pid))) continue;
      rmSync(join(this.#folder, name), { force: true });
    }
  }
}
