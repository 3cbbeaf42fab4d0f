import { basename, dirname } from 'node:path';
import { type Store, writeBackupAside } from '@kaptain/store';
import { Semaphore } from '@kaptain/store/semaphore';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { backupContent } from '../../base/database/backup-content.ts';
import { databaseFile } from '../../base/database/open-store.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { fileChunks, openFile } from '../../base/logging/open-file.ts';
import type { Download } from '../../http/downloads/downloads.ts';
import { TemporaryFiles } from '../../http/uploads/temporary-files.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import { backupName } from './backup-names.ts';
import { hasRoomForBackup } from './has-room-for-backup.ts';

interface Deps {
  store: Store;
  /** The kind of the store. */
  database: string;
  dataDir: string;
  temporaryFolder: string;
  clock: () => number;
}

interface Made {
  name: string;
  path: string;
  expiry: NodeJS.Timeout;
}

/** How long a backup waits for its download. */
const KEPT_MS = 15 * 60_000;

/** Backups that an ADMIN makes in the console and downloads: one at a time, and one is kept until it is downloaded. */
export class BackupDownloads {
  readonly #deps: Deps;
  readonly #files: TemporaryFiles;
  readonly #making = new Semaphore(1);
  #made: Made | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#files = new TemporaryFiles(deps.temporaryFolder, 'backup');
  }

  /** The audit entry is written after the file: a backup that failed was not made. */
  async make(call: Call<'admin'>): Promise<{ file: string; bytes: number }> {
    const { store, database, clock } = this.#deps;
    if (database !== 'embedded')
      throw new AppError(
        'CONFLICT',
        'The data is on a database server: please use its own tools for backups.',
      );
    if (!this.#making.tryAcquire())
      throw new AppError('TOO_MANY_REQUESTS', 'A backup is being made. Please wait until it is ready.', {
        retryAfter: 10,
      });
    try {
      await this.#remove();
      const name = backupName(clock());
      const { path, bytes } = await this.#write(call.gone());
      this.#made = { name, path, expiry: setTimeout(() => void this.#remove(), KEPT_MS).unref() };
      await store.transaction(async (unit) => {
        await requireStillAdmin(unit, call);
        await audit(unit, call, clock(), { action: 'backup.create', after: { file: name, bytes } });
      });
      return { file: name, bytes };
    } catch (error) {
      await this.#remove();
      throw error;
    } finally {
      this.#making.release();
    }
  }

  /** The backup of this name, which is removed after it was sent. */
  download(name: string, call: Call<'admin'>): Download {
    if (this.#made?.name !== name)
      throw new AppError('NOT_FOUND', 'This backup is not there any more: please make another one.');
    return { chunks: this.#chunks(this.#made, call), fileName: name };
  }

  async *#chunks(made: Made, call: Call<'admin'>): AsyncGenerator<Uint8Array> {
    const { store, clock } = this.#deps;
    await store.transaction(async (unit) => {
      await requireStillAdmin(unit, call);
      await audit(unit, call, clock(), { action: 'backup.download', after: { file: made.name } });
    });
    yield* fileChunks(() => openFile(dirname(made.path), basename(made.path)));
    // A download that was cut off can be repeated.
    if (this.#made === made) await this.#remove();
  }

  async #write(gone: AbortSignal): Promise<{ path: string; bytes: number }> {
    const { dataDir, temporaryFolder, clock } = this.#deps;
    const { path, handle } = await this.#files.create();
    await handle.close();
    try {
      if (!(await hasRoomForBackup(databaseFile(dataDir), temporaryFolder)))
        throw new AppError('DISK_FULL', 'There is too little space on the disk for a copy of the database.');
      const content = backupContent(dataDir, clock());
      return { path, bytes: await writeBackupAside(databaseFile(dataDir), path, content, gone) };
    } catch (error) {
      await this.#files.remove(path);
      throw error;
    }
  }

  async #remove(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    if (!made) return;
    clearTimeout(made.expiry);
    await this.#files.remove(made.path);
  }
}
