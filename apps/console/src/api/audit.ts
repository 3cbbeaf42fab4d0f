import { audit } from '@kaptain/contract/audit';
import { pathOf } from '@kaptain/contract/client';
import type { CallInput } from '@kaptain/contract/route';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isUnknownCall } from './is-unknown-call.ts';
import { service } from './service.ts';

const calls = service({ audit }).audit;

type Query = NonNullable<CallInput<typeof audit.list>['query']>;
export type AuditFilter = Pick<Query, 'actorId' | 'action' | 'target' | 'since' | 'until' | 'q'>;

const PAGE = 50;

/**
 * The entries, newest first, as many pages as the user has loaded.
 * The filter is computed at each call: "the last hour" ends at the time of the call.
 */
export function useAuditEntries(key: Record<string, string>, filter: () => AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', key],
    queryFn: ({ pageParam, signal }) =>
      calls.list({ query: { ...filter(), before: pageParam, limit: PAGE } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Stale at once: changes made on other screens add entries.
    staleTime: 0,
  });
}

/** The path of the download of all entries that match. */
export const auditExportPath = (filter: AuditFilter): string => pathOf(audit.export, { query: filter });

/** When a user signed in last, by the audit trail; null when they never did. */
export function useLastLogin(userId: string) {
  return useQuery({
    queryKey: ['audit', 'last login', userId],
    queryFn: async ({ signal }) => {
      const { data } = await calls.list(
        { query: { actorId: userId, action: 'session.login', limit: 1 } },
        { signal },
      );
      return data[0] ?? null;
    },
  });
}

/** Whether this service has an audit trail: an extra that other services may not have. */
export const isAuditServed = (signal: AbortSignal): Promise<boolean> =>
  calls.list({ query: { limit: 1 } }, { signal }).then(
    () => true,
    (error: unknown) => !isUnknownCall(error),
  );
