import { jobs, type LogEntry, logs } from '@kaptain/contract/logs';
import type { CallInput } from '@kaptain/contract/route';
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { LogFilter, ShownLogs } from './log-query.ts';
import { pageInMemory } from './plain-logs.ts';
import { service } from './service.ts';

const calls = service({ logs, jobs });

export type { LogFilter, ShownLogs } from './log-query.ts';

interface Wanted {
  /** What the filter is made of: one that ends now is another one at each call, but the same question. */
  key: Record<string, string>;
  filter: () => LogFilter;
  page: number;
  size: number;
}

const LOGS = ['logs'];
const PLAIN_LIST = [...LOGS, 'plain'];
const PLAIN_LIST_MS = 10_000;
const LIVE_MS = 2000;

/** The one place that knows that a service may answer with the whole list instead of a page. */
async function readPage(queries: QueryClient, wanted: Wanted, signal: AbortSignal): Promise<ShownLogs> {
  const { page, size } = wanted;
  const filter = wanted.filter();
  const kept = queries.getQueryState<LogEntry[]>(PLAIN_LIST);
  const isFresh = kept && !kept.isInvalidated && Date.now() - kept.dataUpdatedAt < PLAIN_LIST_MS;
  if (kept?.data && isFresh) return pageInMemory(kept.data, filter, page, size);
  const query = { ...filter, q: filter.q.trim() || undefined, page, size };
  const answer = await calls.logs.list({ query }, { signal });
  if (!Array.isArray(answer)) return { ...answer, isPlain: false };
  queries.setQueryData(PLAIN_LIST, answer);
  return pageInMemory(answer, filter, page, size);
}

export const isUnderWay = ({ status }: LogEntry): boolean => status === 'queued' || status === 'running';

/** One page, newest first; asked for again and again while something on it is under way. */
export function useLogs({ key, filter, page, size }: Wanted, liveMs = LIVE_MS) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [...LOGS, 'page', key, page, size],
    queryFn: ({ signal }) => readPage(queries, { key, filter, page, size }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (!state.data?.data.some(isUnderWay)) return false;
      return state.data.isPlain ? PLAIN_LIST_MS : liveMs;
    },
  });
}

/** Fetches again what is shown. */
export function useRefreshLogs() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: LOGS });
}

/** The apps of the platform; nothing while it does not answer. */
export function useApps() {
  return useQuery({ queryKey: ['apps'], queryFn: ({ signal }) => calls.jobs.apps({}, { signal }) });
}

export function useStartJob() {
  const refresh = useRefreshLogs();
  return useMutation({
    mutationFn: (body: CallInput<typeof jobs.start>['body']) => calls.jobs.start({ body }),
    onSettled: refresh,
  });
}

export function useRerunJob() {
  const refresh = useRefreshLogs();
  return useMutation({
    mutationFn: (id: string) => calls.jobs.rerun({ params: { id } }),
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
