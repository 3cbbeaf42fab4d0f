import { type AuditRecord, LATEST_ID_MS, type RecentQuery, type Store } from '@kaptain/store';

interface Filter {
  where: NonNullable<RecentQuery<AuditRecord>['where']>;
  before?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const withoutUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** The entries that a query finds, newest first, read in batches. */
async function* walk(
  audit: Store['audit'],
  query: Omit<RecentQuery<AuditRecord>, 'limit'>,
  limit: number,
): AsyncGenerator<AuditRecord> {
  for (let from = query; ; ) {
    const batch = await audit.recent({ ...from, limit });
    yield* batch;
    const last = batch.at(-1);
    if (!last || batch.length < limit) return;
    from = { ...from, before: last.id };
  }
}

/**
 * The entries of a time range in the order of the chain, newest first. Ids follow the chain, and the time in an id is
 * never before `at`; entries with a much later one, written after a clock was ahead, are flagged `isAhead` and queried
 * separately.
 */
export async function* auditEntries(
  audit: Store['audit'],
  { where, before, since, until }: Filter,
  batch: number,
): AsyncGenerator<AuditRecord> {
  const [from, to] = [since ? Date.parse(since) : -Infinity, until ? Date.parse(until) : Infinity];
  const isWanted = ({ at }: AuditRecord) => Date.parse(at) >= from && Date.parse(at) < to;
  const idsUntil = until && new Date(to + LATEST_ID_MS).toISOString();
  const ahead = {
    where: { ...where, isAhead: true } as const,
    ...withoutUndefined({ before, since: idsUntil }),
  };
  if (until) for await (const entry of walk(audit, ahead, batch)) if (isWanted(entry)) yield entry;
  const query = { where, ...withoutUndefined({ before, since, until: idsUntil }) };
  for await (const entry of walk(audit, query, batch)) if (isWanted(entry)) yield entry;
}
