import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../background-thread.ts';
import { writeBackup } from './backup.ts';
import type { BackupAnswer, BackupTask } from './backup-thread.ts';
import { toFailure } from './messages.ts';

const { file, target, backup } = workerData as BackupTask;

function answer(): BackupAnswer {
  try {
    lowerThreadPriority();
    return { bytes: writeBackup(file, target, backup) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

parentPort?.postMessage(answer(), []);
