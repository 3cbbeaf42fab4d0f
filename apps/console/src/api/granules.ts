import { ApiError } from '@kaptain/contract/client';
import { dataApi } from '@kaptain/contract/data-api';
import { type Granule, granules } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { type GranuleFilter, type GranuleQuery, rereadAfter, type ShownGranules } from './granule-query.ts';
import { answerIfKnown } from './ignoring-answer.ts';
import { matchingIds, pageInMemory } from './plain-granules.ts';
import { service } from './service.ts';

const calls = service({ granules, dataApi });

export type { GranuleQuery, ShownGranules } from './granule-query.ts';

/** The values of a kapsule that the calls need. */
export type Binding = Pick<Kapsule, '_id' | 'database' | 'tableName'>;

const ofKapsule = (id: string) => ['granules', id];
const plainList = (id: string) => [...ofKapsule(id), 'plain'];
const PLAIN_LIST_MS = 60_000;

const flag = (value: boolean | undefined) =>
  value === undefined ? undefined : value ? ('true' as const) : ('false' as const);
const filled = <T>(list: T[]) => (list.length > 0 ? list : undefined);
/** A filter as query parameters. */
export const filterQuery = ({ q, reloaded, deleted, where }: GranuleFilter) => ({
  q: q.trim() || undefined,
  reloaded: flag(reloaded),
  deleted: deleted ? ('true' as const) : undefined,
  where: where.length > 0 ? JSON.stringify(where) : undefined,
});

/** Reads a page, also from a service that answers with the whole list, which is kept for a while; such a page is `isPlain`. */
async function readPage(
  queries: QueryClient,
  kapsule: Binding,
  query: GranuleQuery,
  { signal, next }: { signal?: AbortSignal; next?: string } = {},
): Promise<ShownGranules> {
  const { _id: id, database, tableName } = kapsule;
  const listState = queries.getQueryState<Granule[]>(plainList(id));
  const isFresh =
    listState && !listState.isInvalidated && Date.now() - listState.dataUpdatedAt < PLAIN_LIST_MS;
  if (listState?.data && isFresh) return pageInMemory(listState.data, query);
  const { sort, page, size } = query;
  const answer = await calls.granules.list(
    {
      params: { id },
      query: { sqlType: database, tableName, ...filterQuery(query), sort, page, size, next },
    },
    signal && { signal },
  );
  if (!Array.isArray(answer)) return { ...answer, totalIsExact: answer.totalIsExact ?? true, isPlain: false };
  queries.setQueryData(plainList(id), answer);
  return pageInMemory(answer, query);
}

const pageKey = (id: string, query: GranuleQuery) => [...ofKapsule(id), 'page', query];

/** One page. The pages before and after it are prefetched; a page that is not shown leaves the cache after 10 s. */
export function useGranules(kapsule: Binding, query: GranuleQuery) {
  const queries = useQueryClient();
  const optionsOf = (wanted: GranuleQuery) => ({
    queryKey: pageKey(kapsule._id, wanted),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      readPage(queries, kapsule, wanted, { signal }).catch((error: unknown) => {
        // The kapsule itself may be gone, or no longer shared: its page must know.
        if (error instanceof ApiError && error.status === 404)
          void queries.invalidateQueries({ queryKey: ['kapsules', kapsule._id], exact: true });
        throw error;
      }),
    gcTime: 10_000,
  });
  const result = useQuery({
    ...optionsOf(query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => rereadAfter(query, state.data, state.dataUpdateCount),
  });

  const { data, isPlaceholderData } = result;
  const pages = data && !isPlaceholderData && !data.isPlain ? Math.ceil(data.total / query.size) : 0;
  const neighbours = [query.page + 1, query.page - 1].filter((page) => page >= 1 && page <= pages);
  useEffect(() => {
    for (const page of neighbours) void queries.prefetchQuery(optionsOf({ ...query, page }));
    // Runs when the data of this page arrives.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data, isPlaceholderData]);
  return result;
}

/** Appends the next rows to a page that the service has cut at its byte limit; a row that has moved is not shown twice. */
export function useMoreGranules(kapsule: Binding, query: GranuleQuery) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (next: string) => readPage(queries, kapsule, query, { next }),
    onSuccess: (more, next) =>
      queries.setQueryData<ShownGranules>(pageKey(kapsule._id, query), (page) => {
        // The page was fetched again meanwhile and starts over.
        if (page?.next !== next) return page;
        const loaded = new Set(page.data.map(({ _id }) => _id));
        const { next: _, ...rest } = page;
        return {
          ...rest,
          data: [...page.data, ...more.data.filter(({ _id }) => !loaded.has(_id))],
          ...(more.next !== undefined && { next: more.next }),
        };
      }),
  });
}

/** Refetches the granules of the kapsule and the kapsule lists, which show their counts. */
export function useRefreshGranules(id: string): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(
      [ofKapsule(id), ['kapsules']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  };
}

/**
 * Granules by id, or all that match a filter, which is refused when they are no longer as many as the user saw. In the whole list of
 * another service they are those of the kept list.
 */
type GranuleSelection =
  | { ids: readonly string[] }
  | { matching: Omit<GranuleFilter, 'deleted'>; expected: number };

/** Changes granules in batches; returns how many were changed, undefined when an answer does not tell. */
async function inBatches(
  ids: readonly string[],
  change: (ids: string[]) => Promise<number | undefined>,
): Promise<number | undefined> {
  let sum: number | undefined = 0;
  for (let first = 0; first < ids.length; first += limits.granuleIdsPerDelete) {
    const changed = await change(ids.slice(first, first + limits.granuleIdsPerDelete));
    sum = sum === undefined || changed === undefined ? undefined : sum + changed;
  }
  return sum;
}

/** Deletes granules; returns how many were not deleted before, where the service tells. */
export function useRemoveGranules({ _id: id, database, tableName }: Binding) {
  const queries = useQueryClient();
  const refresh = useRefreshGranules(id);
  const removeIds = (ids: readonly string[]) =>
    inBatches(ids, async (granuleIds) => {
      const body = { granuleIds, sqlType: database, tableName };
      return (await answerIfKnown(calls.granules.remove({ body })))?.deleted;
    });
  return useMutation({
    mutationFn: async (selection: GranuleSelection) => {
      if ('ids' in selection) return removeIds(selection.ids);
      const { matching, expected } = selection;
      const plain = queries.getQueryData<Granule[]>(plainList(id));
      if (plain) return removeIds(matchingIds(plain, { ...matching, deleted: false }, expected));
      const { q, reloaded, where } = matching;
      const body = { q: q.trim() || undefined, reloaded, where: filled(where), expected };
      return (await calls.granules.removeMatching({ params: { id }, body })).deleted;
    },
    onSettled: refresh,
  });
}

/** Saves one granule in place of the version that the user saw. The granules are read again, also after a conflict. */
export function useSaveGranule(id: string) {
  const refresh = useRefreshGranules(id);
  return useMutation({
    mutationFn: (granule: { key: string; data: Record<string, unknown>; version?: number | undefined }) =>
      calls.dataApi.upsert({ params: { id }, body: { granules: [granule] } }),
    onSettled: refresh,
  });
}

/** The exact number of matching granules, where the service has stopped counting for a page. */
export function useMatchingCount(id: string, filter: GranuleFilter, { enabled }: { enabled: boolean }) {
  const { q, reloaded, deleted, where } = filter;
  const { data, isFetching } = useQuery({
    queryKey: [...ofKapsule(id), 'count', { q, reloaded, deleted, where }],
    queryFn: ({ signal }) =>
      calls.granules.countMatching({ params: { id }, query: filterQuery(filter) }, { signal }),
    enabled,
  });
  return { total: enabled ? data?.total : undefined, isCounting: enabled && isFetching };
}

/** Restores granules; returns how many were still deleted, where the service tells. */
export function useRestoreGranules(id: string) {
  const refresh = useRefreshGranules(id);
  return useMutation({
    mutationFn: async (selection: GranuleSelection) => {
      if ('matching' in selection) {
        const { matching, expected } = selection;
        const body = { q: matching.q.trim() || undefined, where: filled(matching.where), expected };
        return (await calls.granules.restoreMatching({ params: { id }, body })).restored;
      }
      return inBatches(
        selection.ids,
        async (granuleIds) =>
          (await calls.granules.restore({ params: { id }, body: { granuleIds } })).restored,
      );
    },
    onSettled: refresh,
  });
}

/** The states of a granule, newest first, in pages back to the first state. */
export function useGranuleHistory(id: string, granuleId: string) {
  return useInfiniteQuery({
    queryKey: [...ofKapsule(id), 'history', granuleId],
    queryFn: ({ signal, pageParam: before }) =>
      calls.granules.history({ params: { id, granuleId }, query: { before } }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (states) => {
      const oldest = states.at(-1)?.version ?? 1;
      return oldest > 1 ? oldest : undefined;
    },
    select: ({ pages }) => pages.flat(),
  });
}

export function useChangesPerDay(id: string, days: number, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: [...ofKapsule(id), 'changes', days],
    queryFn: ({ signal }) => calls.granules.changesPerDay({ params: { id }, query: { days } }, { signal }),
    enabled,
  });
}

export function useLoadScript(id: string) {
  return useQuery({
    queryKey: ['load-script', id],
    queryFn: ({ signal }) => calls.dataApi.loadScript({ params: { id } }, { signal }),
  });
}
