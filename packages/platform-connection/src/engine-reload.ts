import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineSession } from './engine.ts';
import type { DocApi, ProgressData, ReloadOutcome } from './engine-api.ts';
import { PlatformError } from './errors.ts';
import type { ReloadOrder, ReloadProgress, ReloadResult, Timeouts } from './platform.ts';

const lastLine = (text: string | undefined) => text?.trim().split(/\r?\n/).at(-1)?.trim() ?? '';

function progressOf(data: ProgressData): ReloadProgress {
  const { qCompleted = 0, qTotal = 0 } = data;
  const fraction = qTotal > 0 ? Math.min(1, Math.max(0, qCompleted / qTotal)) : null;
  return { fraction, text: lastLine(data.qTransientProgress) || lastLine(data.qPersistentProgress) };
}

/** Polls the progress until the reload ends; fails when the progress stays the same for `stalledMs`. */
async function pollProgress(
  { global, ask, host }: EngineSession,
  onProgress: (progress: ReloadProgress) => void,
  errors: string[],
  { progressMs, stalledMs }: Timeouts,
  ended: AbortSignal,
): Promise<void> {
  let lastLog = '';
  let since = performance.now();
  while (!ended.aborted) {
    const data = await ask(global.getProgress(0));
    errors.push(...(data.qErrorData ?? []).map(({ qErrorString }) => qErrorString ?? '').filter(Boolean));
    // The running time grows even when the reload hangs, so it does not count as progress.
    const { qMillisecs: _, ...rest } = data;
    const state = JSON.stringify(rest);
    if (state !== lastLog) {
      [lastLog, since] = [state, performance.now()];
      const progress = progressOf(data);
      if (progress.text !== '' || progress.fraction !== null) onProgress(progress);
    } else if (performance.now() - since > stalledMs) {
      throw new PlatformError('timeout', `The reload on ${host} has reported no progress for too long.`);
    }
    await sleep(progressMs, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Runs the app's script and saves the app; sends CancelReload when the signal aborts or the reload hangs. */
export async function engineReload(
  session: EngineSession,
  { appId, partial }: ReloadOrder,
  onProgress: (progress: ReloadProgress) => void,
  signal: AbortSignal,
  timeouts: Timeouts,
): Promise<ReloadResult> {
  const { global, ask } = session;
  const doc: DocApi = await ask(global.openDoc(appId, '', '', '', false));
  // The reload must not wait for a user's input; errors are read from the progress.
  await ask(global.configureReload(true, true, false));
  const ended = new AbortController();
  const errors: string[] = [];
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<ReloadOutcome>();
  const cancel = () => {
    ask(global.cancelReload()).catch(() => undefined);
    // When the engine ignores the cancel, the caller stops waiting; closing the session ends the reload too.
    sleep(timeouts.requestMs, undefined, { signal: ended.signal }).then(
      () => abandon({ qSuccess: false }),
      () => undefined,
    );
  };
  const reloading = doc.doReloadEx({ qMode: 0, qPartial: partial, qDebug: false });
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const polling = pollProgress(session, onProgress, errors, timeouts, ended.signal);
  try {
    // The polling ends before the reload only by failing.
    const outcome = await Promise.race([
      ask(reloading, NO_TIMEOUT),
      polling.then(() => reloading),
      abandoned,
    ]);
    if (!outcome.qSuccess) {
      const last = await ask(global.getProgress(0)).catch((): ProgressData => ({}));
      errors.push(...(last.qErrorData ?? []).map(({ qErrorString }) => qErrorString ?? '').filter(Boolean));
    } else await ask(doc.doSave(), timeouts.stalledMs);
    return resultOf(outcome.qSuccess, outcome.qScriptLogFile, errors, signal);
  } catch (error) {
    if (error instanceof PlatformError && error.category === 'timeout') cancel();
    throw error;
  } finally {
    ended.abort();
    signal.removeEventListener('abort', cancel);
    await polling.catch(() => undefined);
  }
}

/** The longest delay of a timer: only the polling decides when a reload takes too long. */
const NO_TIMEOUT = 2 ** 31 - 1;

function resultOf(
  isSuccess: boolean,
  file: string | undefined,
  errors: readonly string[],
  signal: AbortSignal,
): ReloadResult {
  const scriptLogFile = file || null;
  if (isSuccess) return { status: 'succeeded', failReason: null, scriptLogFile };
  if (signal.aborted) return { status: 'cancelled', failReason: null, scriptLogFile };
  const failReason = errors.at(-1) ?? 'The script failed; its log says why.';
  return { status: 'failed', failReason: failReason.slice(0, 1000), scriptLogFile };
}
