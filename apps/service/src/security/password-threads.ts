import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';

/** To be verified when there is a hash, else to be hashed. */
export interface PasswordTask {
  password: string;
  hash?: string;
  options?: Options;
}
export type PasswordReply = { value: string | boolean } | { failure: string };

/** Threads that wait for work; one is started when there is none, and stays. */
const idle: Worker[] = [];

/** Has the task done on a thread of its own; how many run at once is the caller's business. */
export async function onPasswordThread(task: PasswordTask): Promise<string | boolean> {
  const worker = idle.pop() ?? new Worker(new URL('./password-thread.ts', import.meta.url));
  worker.ref();
  worker.postMessage(task, []);
  // A thread that dies tells why, and is not used again.
  const [reply] = (await once(worker, 'message')) as [PasswordReply];
  // Waiting for work it keeps no process alive.
  worker.unref();
  idle.push(worker);
  if ('failure' in reply) throw new Error(reply.failure);
  return reply.value;
}
