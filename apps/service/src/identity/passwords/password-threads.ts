import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';

/** With a hash the password is verified against it, without one it is hashed. */
export interface PasswordTask {
  password: string;
  hash?: string;
  options?: Options;
}
export type PasswordReply = { value: string | boolean } | { failure: string };

/** Idle threads, which are reused; one is started when there is none. */
const idle: Worker[] = [];

/** Runs the task on a worker thread; the caller limits how many run at the same time. */
export async function onPasswordThread(task: PasswordTask): Promise<string | boolean> {
  const worker = idle.pop() ?? new Worker(new URL('./password-thread.ts', import.meta.url));
  worker.ref();
  worker.postMessage(task, []);
  // Rejects when the thread fails; such a thread is not used again.
  const [reply] = (await once(worker, 'message')) as [PasswordReply];
  // An idle thread does not keep the process alive.
  worker.unref();
  idle.push(worker);
  if ('failure' in reply) throw new Error(reply.failure);
  return reply.value;
}
