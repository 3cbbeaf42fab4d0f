import { ConfigError } from '../config/config-error.ts';
import type { Service } from '../start.ts';
import { BIRTH_VARIABLE, type Birth, type FromWorker, type ToWorker } from './messages.ts';

const UNKNOWN =
  'The service stopped while it was starting; the terminal or the service manager has the details.';

/** How long a worker that failed may take to write down why. */
const LAST_WORDS_MS = 2000;

/** Only what the person at the keyboard can act on is one sentence; a mistake of ours keeps its stack. */
const textOf = (error: unknown): string => {
  if (error instanceof ConfigError || !(error instanceof Error))
    return String(error).replace(/^ConfigError: /, '');
  return error.stack ?? error.message;
};

/** Resolves once the supervisor has it: a process that ends at once may take its last message along. */
const report = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });

async function fail(error: unknown): Promise<never> {
  const reason = error instanceof ConfigError ? error.message : UNKNOWN;
  await report({ kind: 'failed', text: textOf(error), reason });
  process.exit(1);
}

async function end(work: Promise<void>): Promise<void> {
  try {
    await work;
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    process.exit(1);
  }
}

/** The part of the process that serves: it is told by its supervisor when to go, and why. */
export async function work(): Promise<void> {
  // The terminal and service managers signal every process of a group; only the supervisor decides.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  const birth = JSON.parse(process.env[BIRTH_VARIABLE] ?? '{"restartedAt":0}') as Birth;
  let service: Service | undefined;
  let isEnding = false;
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'restartFailed')
      return void service?.restartFailed(message.rejected, message.reason);
    if (isEnding) return service?.hurry();
    isEnding = true;
    if (!service) process.exit(0);
    void end(message.kind === 'retire' ? service.retire() : service.stop());
  });
  try {
    const { start } = await import('../start.ts');
    service = await start(process.env, {
      birth,
      opening: (generation, isProven) => void report({ kind: 'opening', generation, isProven }),
      restart: () => void report({ kind: 'restart' }),
    });
  } catch (error) {
    await fail(error);
    return;
  }
  const { greeting, port, freePort } = service;
  process.on('uncaughtException', (failure: unknown) => {
    process.stderr.write(`${textOf(failure)}\n`);
    const die = () => process.exit(1);
    // Its state is unknown from now on: a disk that hangs must not keep it serving.
    setTimeout(die, LAST_WORDS_MS);
    (service?.logCrash(failure) ?? Promise.resolve()).then(die, die);
  });
  await report({ kind: 'ready', greeting, port, freePort });
}
