import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A child process that answers one message at a time. */
export class Child<Hello> {
  readonly hello: Hello;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, hello: Hello) {
    this.#process = process;
    this.hello = hello;
  }

  /** Resolves with its first message. */
  static async start<Hello>(
    script: string,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ): Promise<Child<Hello>> {
    const child = fork(script, args, { env: { ...process.env, ...env } });
    return new Child(child, await answerOf<Hello>(child));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  tell(message: unknown): void {
    this.#process.send(message as object);
  }

  async ask<T>(message: unknown): Promise<T> {
    const answer = answerOf<T>(this.#process);
    this.tell(message);
    return answer;
  }

  /** Asks it to stop by this message, or ends it. */
  async stop(message?: string): Promise<void> {
    const ended = once(this.#process, 'exit');
    if (message === undefined) this.#process.kill();
    else this.tell(message);
    await ended;
  }
}

/** The next message; a process that ends without one is an error. */
function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`${child.spawnargs.join(' ')} has ended.`));
    child.once('exit', fail);
    child.once('message', (message) => {
      child.off('exit', fail);
      resolve(message as T);
    });
  });
}
