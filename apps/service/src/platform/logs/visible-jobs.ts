import { type Actor, authoritiesOf, includesAuthority, type JobStatus } from '@kaptain/contract';
import { foldText, type JobRecord, type RecentQuery, type Store } from '@kaptain/store';
import { FIRST_JOBS, INDEXED_SOURCES, MOST_JOBS } from '../tuning.ts';

interface JobFilter {
  q?: string | undefined;
  status?: JobStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
type Where = NonNullable<RecentQuery<JobRecord>['where']>;

/** The jobs of an index value, newest first. Batches grow, so that the first page reads few jobs. */
async function* walk(
  { jobs }: Store,
  where: Where,
  { status, from, to }: JobFilter,
  firstBatch: number,
  isWanted: (job: JobRecord) => boolean,
): AsyncGenerator<JobRecord> {
  let before: string | undefined;
  for (let limit = firstBatch; ; limit = Math.min(limit * 2, MOST_JOBS)) {
    const batch = await jobs.recent({
      where: { ...where, ...(status && { status }) },
      limit,
      ...(before && { before }),
      ...(from && { since: from }),
      ...(to && { until: to }),
    });
    // Filtered per batch, because yielding every job of a long log by itself would take most of the time.
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

/** Merges several sorted streams: newest first, each job once. */
async function* merged(walks: readonly AsyncGenerator<JobRecord>[]): AsyncGenerator<JobRecord> {
  let heads = walks.map((source): Head => ({ source, job: undefined }));
  await Promise.all(heads.map(moveOn));
  for (;;) {
    heads = heads.filter(({ job }) => job !== undefined);
    let newest: JobRecord | undefined;
    for (const { job } of heads) if (job && job.id > (newest?.id ?? '')) newest = job;
    if (!newest) return;
    yield newest;
    // A user's own run of a readable kapsule is in two of the streams.
    await Promise.all(heads.filter(({ job }) => job?.id === newest.id).map(moveOn));
  }
}

/** An ADMIN sees all jobs, a USER their own and those of kapsules they may read. */
async function sourcesFor(store: Store, caller: Actor): Promise<Where[]> {
  if (caller.role === 'ADMIN') return [{}];
  const { groups, kapsules } = await store.visibleTo(caller.userId);
  const authorityOn = authoritiesOf(caller, groups);
  const readable = kapsules.filter((kapsule) => includesAuthority(authorityOn(kapsule), 'READ'));
  return [{ userId: caller.userId }, ...readable.map(({ id }) => ({ kapsuleId: id }))];
}

/** Newest first, read lazily. */
export async function* visibleJobs(
  store: Store,
  caller: Actor,
  filter: JobFilter,
): AsyncGenerator<JobRecord> {
  const sources = await sourcesFor(store, caller);
  const wanted = foldText(filter.q?.trim() ?? '');
  const hasName = ({ name }: JobRecord) => wanted === '' || foldText(name).includes(wanted);
  if (wanted !== '' && sources.length > INDEXED_SOURCES) {
    const kapsuleIds = new Set(sources.map(({ kapsuleId }) => kapsuleId));
    const isVisible = ({ userId, kapsuleId }: JobRecord) =>
      userId === caller.userId || kapsuleIds.has(kapsuleId);
    return yield* walk(store, {}, filter, FIRST_JOBS, (job) => isVisible(job) && hasName(job));
  }
  const firstBatch = Math.max(8, Math.ceil(FIRST_JOBS / sources.length));
  yield* merged(sources.map((where) => walk(store, where, filter, firstBatch, hasName)));
}
