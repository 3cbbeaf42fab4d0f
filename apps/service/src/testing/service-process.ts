import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ServiceProcess extends Disposable {
  child: ChildProcess;
  output: () => string;
  /** Resolves at the first line of output or at the end of the process. */
  spoke: Promise<void>;
  /** Resolves when the output so far matches. */
  said(pattern: RegExp): Promise<void>;
  ended: Promise<number | null>;
}

/** The process as `npm start` runs it. */
export const main: string = join(import.meta.dirname, '..', 'main.ts');

/** The same process with passwords of the lowest cost: a login at the real cost takes 0.2 s of a processor. */
export const withCheapPasswords: string = join(import.meta.dirname, 'main-with-cheap-passwords.ts');

/** The service in a process of its own, or another script of it. */
export function startProcess(
  env: Record<string, string>,
  script: string = withCheapPasswords,
  ...args: readonly string[]
): ServiceProcess {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, KAPTAIN_PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const heard = Promise.withResolvers<void>();
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      heard.resolve();
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    // Ends the process also when the test has failed.
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
    child,
    output: () => output,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const listen = () => pattern.test(output) && resolve();
        listeners.add(listen);
        listen();
        void ended.then(() => reject(new Error(`It ended and said: ${output}`)));
      }),
    ended,
    spoke: Promise.race([heard.promise, ended.then(() => undefined)]),
  };
}
