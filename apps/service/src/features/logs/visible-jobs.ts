import { type Actor, authorityOn, type JobStatus } from '@kaptain/contract';
import { foldText, type JobRecord, type RecentQuery, type Store } from '@kaptain/store';

export interface JobFilter {
  q?: string | undefined;
  status?: JobStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
type Where = NonNullable<RecentQuery<JobRecord>['where']>;

const FIRST_BATCH = 128;
const LARGEST_BATCH = 2000;
/** From so many on, a search looks through everything once instead of through each index. */
const MANY_SOURCES = 20;

/** What an index holds, newest first. Batches grow, so that a look at the first page reads little. */
async function* walk(
  { jobs }: Store,
  where: Where,
  { status, from, to }: JobFilter,
  firstBatch: number,
  isWanted: (job: JobRecord) => boolean,
): AsyncGenerator<JobRecord> {
  let before: string | undefined;
  for (let limit = firstBatch; ; limit = Math.min(limit * 2, LARGEST_BATCH)) {
    const batch = await jobs.recent({
      where: { ...where, ...(status && { status }) },
      limit,
      ...(before && { before }),
      ...(from && { since: from }),
      ...(to && { until: to }),
    });
    // Filtered a batch at a time: handing on every job of a long log alone would take most of the time.
    yield* batch.filter(isWanted);
    if (batch.length < limit) return;
    before = batch.at(-1)?.id;
  }
}

interface Head {
  source: AsyncGenerator<JobRecord>;
  job: JobRecord | undefined;
}
async function moveOn(head: Head): Promise<void> {
  const { value, done } = await head.source.next();
  head.job = done ? undefined : value;
}

/** Several walks as one: newest first, each job once. */
async function* merged(walks: readonly AsyncGenerator<JobRecord>[]): AsyncGenerator<JobRecord> {
  let heads = walks.map((source): Head => ({ source, job: undefined }));
  await Promise.all(heads.map(moveOn));
  for (;;) {
    heads = heads.filter(({ job }) => job !== undefined);
    let newest: JobRecord | undefined;
    for (const { job } of heads) if (job && job.id > (newest?.id ?? '')) newest = job;
    if (!newest) return;
    yield newest;
    // One's own run of a readable kapsule stands in two of them.
    await Promise.all(heads.filter(({ job }) => job?.id === newest.id).map(moveOn));
  }
}

/** An ADMIN sees all jobs, a USER their own and those of kapsules they may read. */
async function sourcesFor(store: Store, caller: Actor): Promise<Where[]> {
  if (caller.role === 'ADMIN') return [{}];
  const { groups, kapsules } = await store.visibleTo(caller.userId);
  const readable = kapsules.filter((kapsule) => authorityOn(kapsule, caller, groups).includes('READ'));
  return [{ userId: caller.userId }, ...readable.map(({ id }) => ({ kapsuleId: id }))];
}

/** Newest first, read only as far as somebody asks on. */
export async function* visibleJobs(
  store: Store,
  caller: Actor,
  filter: JobFilter,
): AsyncGenerator<JobRecord> {
  const sources = await sourcesFor(store, caller);
  const wanted = foldText(filter.q?.trim() ?? '');
  const hasName = ({ name }: JobRecord) => wanted === '' || foldText(name).includes(wanted);
  if (wanted !== '' && sources.length > MANY_SOURCES) {
    const kapsuleIds = new Set(sources.map(({ kapsuleId }) => kapsuleId));
    const isVisible = ({ userId, kapsuleId }: JobRecord) =>
      userId === caller.userId || kapsuleIds.has(kapsuleId);
    return yield* walk(store, {}, filter, FIRST_BATCH, (job) => isVisible(job) && hasName(job));
  }
  const firstBatch = Math.max(8, Math.ceil(FIRST_BATCH / sources.length));
  yield* merged(sources.map((where) => walk(store, where, filter, firstBatch, hasName)));
}
