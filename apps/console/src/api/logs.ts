import { jobs, type LogEntry, logs } from '@kaptain/contract/logs';
import type { CallInput } from '@kaptain/contract/route';
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { isUnderWay, type LogFilter, type ShownLogs } from './log-query.ts';
import { pageInMemory } from './plain-logs.ts';
import { service } from './service.ts';
import { useNoteStarted } from './started-reloads.ts';

const calls = service({ logs, jobs });

export { isUnderWay, type ShownLogs } from './log-query.ts';

interface Wanted {
  /** The parameters of the filter: a span that ends now gives another filter at each call, but the same cache entry. */
  key: Record<string, string>;
  filter: () => LogFilter;
  page: number;
  size: number;
}

const LOGS = ['logs'];
const PLAIN_LIST = [...LOGS, 'plain'];
const PLAIN_LIST_MS = 10_000;
const LIVE_MS = 2000;
const FAILING_MS = 60_000;

/** Reads a page, also from a service that answers with the whole list, which is kept for a while; such a page is `isPlain`. */
async function readPage(queries: QueryClient, wanted: Wanted, signal: AbortSignal): Promise<ShownLogs> {
  const { page, size } = wanted;
  const filter = wanted.filter();
  const listState = queries.getQueryState<LogEntry[]>(PLAIN_LIST);
  const isFresh =
    listState && !listState.isInvalidated && Date.now() - listState.dataUpdatedAt < PLAIN_LIST_MS;
  if (listState?.data && isFresh) return pageInMemory(listState.data, filter, page, size);
  const query = { ...filter, q: filter.q.trim() || undefined, page, size };
  const answer = await calls.logs.list({ query }, { signal });
  if (!Array.isArray(answer)) return { ...answer, isPlain: false };
  queries.setQueryData(PLAIN_LIST, answer);
  return pageInMemory(answer, filter, page, size);
}

/** How often a page is fetched again, in ms: only while a run on it is queued or running. */
export function refetchIntervalOf(page: ShownLogs | undefined, liveMs: number): number | false {
  if (!page?.data.some(isUnderWay)) return false;
  return page.isPlain ? PLAIN_LIST_MS : liveMs;
}

/** One page, newest first, kept up to date while one of its runs is queued or running. */
export function useLogs({ key, filter, page, size }: Wanted, liveMs = LIVE_MS) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [...LOGS, 'page', key, page, size],
    queryFn: ({ signal }) => readPage(queries, { key, filter, page, size }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchIntervalOf(state.data, liveMs),
  });
}

/** The runs that failed at last; none where the service does not know. */
export function useFailingReloads(): readonly LogEntry[] {
  const { data = [] } = useQuery({
    queryKey: [...LOGS, 'failing'],
    queryFn: ({ signal }) => calls.logs.failing({}, { signal }),
    // Another service does not have this call.
    refetchInterval: ({ state }) => (state.error ? false : FAILING_MS),
  });
  return data;
}

/** Fetches the shown pages again. */
export function useRefreshLogs() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: LOGS });
}

/** The script log of a run that has ended. */
export function useScriptLog({ _id: id, qScriptLogFile }: Pick<LogEntry, '_id' | 'qScriptLogFile'>) {
  return useQuery({
    queryKey: [...LOGS, 'script', id, qScriptLogFile],
    queryFn: ({ signal }) => calls.logs.content({ params: { id } }, { signal }),
    enabled: Boolean(qScriptLogFile),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The apps of the platform; undefined while it does not answer. */
export function useApps() {
  return useQuery({ queryKey: ['apps'], queryFn: ({ signal }) => calls.jobs.apps({}, { signal }) });
}

export function useStartJob() {
  const refresh = useRefreshLogs();
  const noteStarted = useNoteStarted();
  return useMutation({
    mutationFn: (body: CallInput<typeof jobs.start>['body']) => calls.jobs.start({ body }),
    onSuccess: noteStarted,
    onSettled: refresh,
  });
}

export function useRerunJob() {
  const refresh = useRefreshLogs();
  const noteStarted = useNoteStarted();
  return useMutation({
    mutationFn: (id: string) => calls.jobs.rerun({ params: { id } }),
    onSuccess: noteStarted,
    onSettled: refresh,
  });
}

export function useCancelJob() {
  const refresh = useRefreshLogs();
  return useMutation({
    mutationFn: (id: string) => calls.jobs.cancel({ params: { id } }),
    onSettled: refresh,
  });
}
