import { asFileError } from '../../base/errors/as-file-error.ts';
import { ConfigError, DatabaseError } from '../../base/errors/config-error.ts';
import { errorText } from '../../base/errors/error-text.ts';
import type { PasswordCost } from '../../identity/passwords/passwords.ts';
import { CRASH_LOG_MS } from '../tuning.ts';
import { type FromWorker, START_REASON_VARIABLE, type StartReason, type ToWorker } from './messages.ts';
import type { Service, Start } from './service.ts';

const UNKNOWN =
  'The service stopped while it was starting; the terminal or the service manager has the details.';

/** Resolves when the supervisor has the message: a process that exits earlier may lose it. */
const report = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (!process.connected || !process.send) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });

async function fail(error: unknown): Promise<never> {
  const reason = error instanceof ConfigError ? error.message : UNKNOWN;
  const isDatabase = error instanceof DatabaseError;
  await report({ kind: 'failed', text: errorText(error), reason, isDatabase });
  process.exit(1);
}

async function end(work: Promise<void>): Promise<void> {
  try {
    await work;
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${errorText(error)}\n`);
    process.exit(1);
  }
}

/**
 * The worker process, which serves; the supervisor tells it when to stop. It loads what starts the service after it listens to
 * the supervisor. Only tests pass a cost of passwords.
 */
export async function work(
  loadStart: () => Promise<{ start: Start }>,
  passwordCost?: PasswordCost,
): Promise<void> {
  // Terminals and service managers signal all processes of a group; the worker waits for the supervisor's message.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  const startReason = JSON.parse(
    process.env[START_REASON_VARIABLE] ?? '{"restartedAt":0,"rejected":[],"hasRunBefore":false}',
  ) as StartReason;
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
    const { start } = await loadStart();
    const link = {
      startReason,
      opening: (generation: number, isProven: boolean, sharesDatabase: boolean) =>
        void report({ kind: 'opening', generation, isProven, sharesDatabase }),
      opened: () => void report({ kind: 'opened' }),
      restart: () => void report({ kind: 'restart' }),
    };
    service = await start(process.env, link, passwordCost);
  } catch (error) {
    // The database may also become unavailable after it was opened.
    const { asDatabaseError } = await import('../../base/database/open-store.ts');
    await fail(asFileError(asDatabaseError(error)));
    return;
  }
  const { greeting, port, freePort } = service;
  process.on('uncaughtException', (failure: unknown) => {
    process.stderr.write(`${errorText(failure)}\n`);
    const die = () => process.exit(1);
    // The state of the process is unknown, so it exits even when the disk hangs.
    setTimeout(die, CRASH_LOG_MS);
    (service?.logCrash(failure) ?? Promise.resolve()).then(die, die);
  });
  await report({ kind: 'ready', greeting, port, freePort });
}
