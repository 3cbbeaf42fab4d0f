import type { PlatformUser } from '@kaptain/contract';
import { type JobRecord, type JobRun, type Nouns, newIdAfter } from '@kaptain/store';

export interface ReloadRequest {
  appId: string;
  kapsule: { id: string; name: string } | null;
  partial: boolean;
  trigger: JobRun['trigger'];
  /** The user who started the job. */
  userId: string | null;
  qlikUser: PlatformUser | null;
}

const isSame = (job: JobRecord, { appId, kapsule, partial }: ReloadRequest): boolean =>
  job.appId === appId && job.kapsuleId === (kapsule?.id ?? null) && job.partial === partial;

/**
 * Queues a reload, or returns the queued one of the same app, which has not started and does the same work: ten saves
 * in a row make one reload.
 */
export async function enqueue(
  { jobs }: Pick<Nouns, 'jobs'>,
  reloadRequest: ReloadRequest,
  now: number,
): Promise<{ job: JobRecord; isNew: boolean }> {
  const waiting = (await jobs.findBy('status', 'queued')).find((job) => isSame(job, reloadRequest));
  if (waiting) return { job: waiting, isNew: false };
  const { appId, kapsule, partial, trigger, userId, qlikUser } = reloadRequest;
  const at = new Date(now).toISOString();
  const [newest] = await jobs.recent({ limit: 1 });
  const job = await jobs.insert({
    // After the newest id, also when the clock was ahead before.
    id: newIdAfter(newest?.id ?? ''),
    name: `Reload ${kapsule?.name ?? appId}`,
    // "single" was started once, "normal" is started by a schedule.
    type: trigger === 'schedule' ? 'normal' : 'single',
    status: 'queued',
    userId,
    kapsuleId: kapsule?.id ?? null,
    appId,
    partial,
    lastRunAt: null,
    lastFinishedAt: null,
    qlikUser,
    qScriptLogFile: null,
    failReason: null,
    progress: null,
    progressText: null,
    createdAt: at,
    run: { trigger, attempt: 1, notBefore: at, lease: null, cancelAskedBy: null, watermarks: {} },
  });
  return { job, isNew: true };
}
