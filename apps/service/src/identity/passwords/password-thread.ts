import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '@kaptain/store/background-thread';
import * as argon2 from '@node-rs/argon2';
import type { PasswordReply, PasswordTask } from './password-threads.ts';

// Hashing occupies a core for about 0.1 s; with a lower priority it does not delay other requests.
lowerThreadPriority();

const port = parentPort;
if (!port) throw new Error('Passwords are hashed on a worker thread only.');

function answer(task: PasswordTask): PasswordReply {
  try {
    return {
      value:
        task.hash === undefined
          ? argon2.hashSync(task.password, task.options)
          : argon2.verifySync(task.hash, task.password),
    };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', (task: PasswordTask) => port.postMessage(answer(task), []));
