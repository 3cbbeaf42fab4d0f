import { type LogEntry, logs } from '@kaptain/contract/logs';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isUnderWay } from './log-query.ts';
import { service } from './service.ts';

const calls = service({ logs }).logs;

const STARTED = ['started-reloads'];
const LIVE_MS = 2000;
/** A run is found among the newest ones: more are hardly begun while one runs. */
const NEWEST = 100;

/** Remembers a reload that this user has started in this window. */
export function useNoteStarted(): (entry: Pick<LogEntry, '_id'>) => void {
  const queries = useQueryClient();
  return ({ _id }) => queries.setQueryData<string[]>(STARTED, (before = []) => [...before, _id]);
}

/** The started reloads that have ended since; `forget` takes them off the list. */
export function useEndedReloads(): { ended: readonly LogEntry[]; forget: (ids: readonly string[]) => void } {
  const queries = useQueryClient();
  const { data: ids } = useQuery<string[]>({
    queryKey: STARTED,
    queryFn: () => queries.getQueryData<string[]>(STARTED) ?? [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data = [] } = useQuery({
    queryKey: ['logs', 'started', ids],
    queryFn: async ({ signal }) => {
      const answer = await calls.list({ query: { page: 1, size: NEWEST } }, { signal });
      return Array.isArray(answer) ? answer : answer.data;
    },
    enabled: ids.length > 0,
    refetchInterval: LIVE_MS,
  });
  return {
    ended: data.filter((entry) => ids.includes(entry._id) && !isUnderWay(entry)),
    forget: (known) =>
      queries.setQueryData<string[]>(STARTED, (before = []) => before.filter((id) => !known.includes(id))),
  };
}
