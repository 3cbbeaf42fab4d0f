import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A child process that answers one message at a time. */
export class Child {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  static async start(file: string, args: string[], env: Record<string, string>): Promise<[Child, unknown]> {
    const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
      env: { ...process.env, ...env },
    });
    const [hello] = (await once(child, 'message')) as unknown[];
    return [new Child(child), hello];
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  tell(message: unknown): void {
    this.#process.send(message as object);
  }

  async ask<T>(message: unknown): Promise<T> {
    const answer = once(this.#process, 'message');
    this.tell(message);
    return ((await answer) as [T])[0];
  }

  async stop(message: unknown): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.tell(message);
    await ended;
  }
}
