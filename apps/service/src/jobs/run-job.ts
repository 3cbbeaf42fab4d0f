import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectPlatform, type Platform, PlatformError, type Timeouts } from '@kaptain/platform-connection';
import type { Settings } from '../config/settings.ts';
import { AppError } from '../http/app-error.ts';
import type { Databases } from '../kapsule-rules/data-sources.ts';
import { granulesOf } from '../kapsule-rules/granules-of.ts';
import type { Log } from '../logging/logs.ts';
import { type Ending, finish, handBack } from './finish.ts';
import { keepHeld } from './keep-held.ts';
import { type HeldJob, type Holder, MOST_ATTEMPTS } from './leases.ts';
import { loadedBy } from './loaded-kapsules.ts';

export interface RunDeps extends Databases {
  settings: Pick<Settings, 'whole'>;
  log: Log;
  holder: Holder;
  /** Where certificates that the settings name lie. */
  dataDir: string;
  scriptLogFolder: string;
  beatMs: number;
  /** Before the second try; each further one waits four times as long. */
  backOffMs: number;
  timeouts?: Partial<Timeouts>;
}

/** Keeps a script log that the platform hands out as text; others are files that the engine wrote itself. */
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

/** What is known of a failure: a sentence, and whether it may pass by itself. */
function readFailure(
  error: unknown,
  log: Log,
): Pick<PlatformError, 'message' | 'isPassing' | 'retryAfterMs'> {
  if (error instanceof PlatformError) return error;
  // The data source or the store of the granules does not answer.
  if (error instanceof AppError && error.code === 'UNAVAILABLE')
    return { message: error.message, isPassing: true, retryAfterMs: undefined };
  log.error({ err: error }, 'reload failed unexpectedly');
  const message = 'The service could not run it; the app log has the details.';
  return { message, isPassing: false, retryAfterMs: undefined };
}

/** Another try, later and later, or the end. */
function endingOf(error: unknown, { run }: HeldJob, { holder, backOffMs, log }: RunDeps): Ending {
  const { message, isPassing, retryAfterMs = 0 } = readFailure(error, log);
  const ending: Ending = { status: 'failed', failReason: message, scriptLogFile: null };
  if (!isPassing || run.attempt >= MOST_ATTEMPTS) return ending;
  const pause = Math.max(retryAfterMs, backOffMs * 4 ** (run.attempt - 1));
  return { ...ending, againAt: holder.clock() + pause };
}

/** Runs one job that this instance holds, to an end that is written down. */
export async function runJob(deps: RunDeps, job: HeldJob, stopping: AbortSignal): Promise<void> {
  const { store, settings, log, holder, dataDir, scriptLogFolder, timeouts } = deps;
  const ended = new AbortController();
  const wanted = new AbortController();
  stopping.addEventListener('abort', () => wanted.abort(), { signal: ended.signal });
  if (stopping.aborted) wanted.abort();
  const beating = keepHeld(deps, job, wanted, ended.signal);
  let ending: Ending;
  try {
    await takeWatermarks(deps, job);
    const platform = connectPlatform(settings.whole(), { folder: dataDir, ...(timeouts && { timeouts }) });
    const order = { appId: job.appId ?? '', partial: job.partial };
    const result = await platform.reload(order, (progress) => beating.tell(progress), wanted.signal);
    const kept = await keepScriptLog(platform, job, result.scriptLogFile, scriptLogFolder).catch(() => null);
    ending = { ...result, scriptLogFile: kept };
  } catch (error) {
    ending = endingOf(error, job, deps);
  }
  ended.abort();
  const { cancelledBy, isLost } = await beating.over;
  if (stopping.aborted && ending.status !== 'succeeded' && !cancelledBy)
    return void (await handBack(store, holder, job));
  if (cancelledBy && ending.status !== 'succeeded')
    ending = {
      status: 'cancelled',
      failReason: `Cancelled by ${cancelledBy}.`,
      scriptLogFile: ending.scriptLogFile,
    };
  const isWritten = !isLost && (await finish(deps, holder, job, ending));
  const { appId, name, run } = job;
  const told = {
    jobId: job.id,
    appId,
    attempt: run.attempt,
    status: ending.status,
    reason: ending.failReason,
  };
  if (!isWritten) log.warn(told, `${name}: another instance has taken over`);
  else if (ending.againAt !== undefined) log.warn(told, `${name} will be tried again`);
  else log.info(told, `${name} ${ending.status}`);
}

/** Before the platform starts: a change made later may not have been read. */
async function takeWatermarks(deps: RunDeps, { id, run, ...job }: HeldJob): Promise<void> {
  const { store, log } = deps;
  const watermarks: Record<string, number> = {};
  for (const kapsule of await loadedBy(store, { id, ...job }))
    try {
      watermarks[kapsule.id] = await granulesOf(deps, kapsule).watermark(kapsule.id);
    } catch (err) {
      if (kapsule.id === job.kapsuleId) throw err;
      // The reload does not wait for the data source of another kapsule; a later reload marks its granules.
      log.warn({ err, jobId: id, kapsuleId: kapsule.id }, 'no watermark could be taken');
    }
  await store.transaction(async ({ jobs }) => {
    const present = await jobs.get(id);
    await jobs.patch(id, { run: { ...(present?.run ?? run), watermarks } });
  });
}
