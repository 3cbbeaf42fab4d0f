import type { PlatformUser } from '@kaptain/contract';
import { type JobRecord, type JobRun, type Nouns, newIdAfter } from '@kaptain/store';

export interface ReloadWish {
  appId: string;
  kapsule: { id: string; name: string } | null;
  partial: boolean;
  trigger: JobRun['trigger'];
  /** The account whose job it is. */
  userId: string | null;
  qlikUser: PlatformUser | null;
}

const isSame = (job: JobRecord, { appId, kapsule, partial }: ReloadWish): boolean =>
  job.appId === appId && job.kapsuleId === (kapsule?.id ?? null) && job.partial === partial;

/**
 * Puts a reload into the queue. One that waits there already does the same work, since it has not started: ten saves in a
 * row make one reload.
 */
export async function enqueue(
  { jobs }: Pick<Nouns, 'jobs'>,
  wish: ReloadWish,
  now: number,
): Promise<{ job: JobRecord; isNew: boolean }> {
  const waiting = (await jobs.findBy('status', 'queued')).find((job) => isSame(job, wish));
  if (waiting) return { job: waiting, isNew: false };
  const { appId, kapsule, partial, trigger, userId, qlikUser } = wish;
  const at = new Date(now).toISOString();
  const [newest] = await jobs.recent({ limit: 1 });
  const job = await jobs.insert({
    // So that it is the newest also when the clock was ahead before.
    id: newIdAfter(newest?.id ?? ''),
    name: `Reload ${kapsule?.name ?? appId}`,
    // "single" was asked for once, "normal" comes again by its schedule.
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
