import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectPlatform, type Platform, PlatformError, type Timeouts } from '@kaptain/platform-connection';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { Databases } from '../../kapsules/data-sources/data-sources.ts';
import { granulesOf } from '../../kapsules/granules/granules-of.ts';
import { loadedBy } from '../reloads/loaded-kapsules.ts';
import { type Ending, finish, returnToQueue } from './finish.ts';
import { keepLease } from './keep-lease.ts';
import { type HeldJob, type Holder, held, LeaseLostError, MAX_ATTEMPTS } from './leases.ts';

export interface RunDeps extends Databases {
  settings: Pick<Settings, 'whole'>;
  log: Log;
  holder: Holder;
  /** The folder of the certificates that the settings name. */
  dataDir: string;
  scriptLogFolder: string;
  heartbeatMs: number;
  /** The delay before the second attempt; each further delay is four times as long. */
  backOffMs: number;
  timeouts?: Partial<Timeouts>;
}

/** Stores a script log that the platform returns as text; other platforms write the file themselves. */
async function keepScriptLog(
  platform: Platform,
  job: HeldJob,
  file: string | null,
  folder: string,
): Promise<string | null> {
  if (file === null || job.appId === null) return null;
  const text = await platform.scriptLog(job.appId, file);
  if (text === undefined) return file;
  const name = `${job.id}-${job.run.attempt}.log`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text, { mode: 0o600 });
  return name;
}

/** The message of a failure, and whether a retry may help. */
function readFailure(
  error: unknown,
  log: Log,
): Pick<PlatformError, 'message' | 'isPassing' | 'retryAfterMs'> {
  if (error instanceof PlatformError) return error;
  // Not logged as a failure: `finish` stores nothing then.
  if (error instanceof LeaseLostError)
    return { message: error.message, isPassing: false, retryAfterMs: undefined };
  // The data source or the store does not answer.
  if (error instanceof AppError && error.code === 'UNAVAILABLE')
    return { message: error.message, isPassing: true, retryAfterMs: undefined };
  log.error({ err: error }, 'reload failed unexpectedly');
  const message = 'The service could not run it; the app log has the details.';
  return { message, isPassing: false, retryAfterMs: undefined };
}

/** Plans another attempt with back-off, or fails the job. */
function endingOf(error: unknown, { run }: HeldJob, { holder, backOffMs, log }: RunDeps): Ending {
  const { message, isPassing, retryAfterMs = 0 } = readFailure(error, log);
  const ending: Ending = { status: 'failed', failReason: message, scriptLogFile: null };
  if (!isPassing || run.attempt >= MAX_ATTEMPTS) return ending;
  const pause = Math.max(retryAfterMs, backOffMs * 4 ** (run.attempt - 1));
  return { ...ending, retryAt: holder.clock() + pause };
}

/** Runs a job whose lease this instance holds, and stores its result. */
export async function runJob(deps: RunDeps, job: HeldJob, stopping: AbortSignal): Promise<void> {
  const { store, settings, log, holder, dataDir, scriptLogFolder, timeouts } = deps;
  const ended = new AbortController();
  const cancelling = new AbortController();
  stopping.addEventListener('abort', () => cancelling.abort(), { signal: ended.signal });
  if (stopping.aborted) cancelling.abort();
  const keeper = keepLease(deps, job, cancelling, ended.signal);
  let ending: Ending;
  try {
    await takeWatermarks(deps, job);
    const platform = connectPlatform(settings.whole(), { folder: dataDir, ...(timeouts && { timeouts }) });
    const order = { appId: job.appId ?? '', partial: job.partial };
    const result = await platform.reload(order, (progress) => keeper.tell(progress), cancelling.signal);
    const scriptLog = await keepScriptLog(platform, job, result.scriptLogFile, scriptLogFolder).catch(
      () => null,
    );
    ending = { ...result, scriptLogFile: scriptLog };
  } catch (error) {
    ending = endingOf(error, job, deps);
  }
  ended.abort();
  const { cancelledBy, isLost } = await keeper.over;
  if (stopping.aborted && ending.status !== 'succeeded' && !cancelledBy)
    return void (await returnToQueue(store, holder, job));
  if (cancelledBy && ending.status !== 'succeeded')
    ending = {
      status: 'cancelled',
      failReason: `Cancelled by ${cancelledBy}.`,
      scriptLogFile: ending.scriptLogFile,
    };
  const isWritten = !isLost && (await finish(deps, holder, job, ending));
  const { appId, name, run } = job;
  const told = {
    job: name,
    jobId: job.id,
    appId,
    attempt: run.attempt,
    status: ending.status,
    reason: ending.failReason,
  };
  if (!isWritten) log.warn(told, 'job lost: another instance has taken over');
  else if (ending.retryAt !== undefined) log.warn(told, 'job will be tried again');
  else log.info(told, `job ${ending.status}`);
}

/** Taken before the platform starts: a later change may not be loaded. */
async function takeWatermarks(deps: RunDeps, job: HeldJob): Promise<void> {
  const { store, log, holder } = deps;
  const watermarks: Record<string, number> = {};
  for (const kapsule of await loadedBy(store, job))
    try {
      watermarks[kapsule.id] = await granulesOf(deps, kapsule).watermark(kapsule.id);
    } catch (err) {
      if (kapsule.id === job.kapsuleId) throw err;
      // The reload does not wait for the data source of another kapsule; a later reload marks its granules.
      log.warn({ err, jobId: job.id, kapsuleId: kapsule.id }, 'no watermark could be taken');
    }
  await store.transaction(async ({ jobs }) => {
    const present = await held({ jobs }, job, holder);
    // The run that holds the lease now began with earlier watermarks, and marks only what it has loaded.
    if (!present) throw new LeaseLostError();
    await jobs.patch(job.id, { run: { ...present.run, watermarks } });
  });
}
