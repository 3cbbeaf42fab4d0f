import { audit } from '@kaptain/contract/audit';
import type { CallInput } from '@kaptain/contract/route';
import { useInfiniteQuery } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ audit }).audit;

type Query = NonNullable<CallInput<typeof audit.list>['query']>;
export type AuditFilter = Pick<Query, 'actorId' | 'action' | 'target' | 'since' | 'until'>;

const PAGE = 50;

/**
 * The entries, newest first, as many pages as were asked for.
 * The filter is worked out at each call: "the last hour" ends when it is asked for.
 */
export function useAuditEntries(key: Record<string, string>, filter: () => AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', key],
    queryFn: ({ pageParam, signal }) =>
      calls.list({ query: { ...filter(), before: pageParam, limit: PAGE } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Everything done elsewhere in the console adds entries.
    staleTime: 0,
  });
}

/** Whether this service has an audit trail: an extra that other services may not know. */
export const isAuditServed = (signal: AbortSignal): Promise<boolean> =>
  calls.list({ query: { limit: 1 } }, { signal }).then(
    () => true,
    (error: unknown) => !isUnknownCall(error),
  );
