import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { type Backup, draftOf } from './backup.ts';
import { type Failure, fromFailure } from './messages.ts';

/** The task of the thread. */
export interface BackupTask {
  file: string;
  target: string;
  backup: Backup;
}

export type BackupAnswer = { bytes: number } | { failure: Failure };

/** Does what `writeBackup` does on a thread of its own, because copying a large database takes minutes; `signal` ends it. */
export async function writeBackupAside(
  file: string,
  target: string,
  backup: Backup,
  signal?: AbortSignal,
): Promise<number> {
  signal?.throwIfAborted();
  const task: BackupTask = { file, target, backup };
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: task });
  const { promise, resolve, reject } = Promise.withResolvers<BackupAnswer>();
  worker.once('message', resolve).once('error', reject);
  worker.once('exit', () => reject(new UnavailableError('The backup stopped unexpectedly; try again.')));
  const abort = () => void worker.terminate();
  signal?.addEventListener('abort', abort);
  try {
    const answer = await promise;
    if ('failure' in answer) throw fromFailure(answer.failure);
    return answer.bytes;
  } finally {
    signal?.removeEventListener('abort', abort);
    // A thread that was ended could not remove it.
    rmSync(draftOf(target), { force: true });
    rmSync(`${draftOf(target)}-journal`, { force: true });
  }
}
