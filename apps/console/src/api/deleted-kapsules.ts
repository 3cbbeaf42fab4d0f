import { deletedKapsules } from '@kaptain/contract/deleted-kapsules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { service } from './service.ts';

const calls = service({ deletedKapsules }).deletedKapsules;

// Below the kapsules, so that a change of those refreshes these.
const DELETED = ['kapsules', 'deleted'];

const deleted = { queryKey: DELETED, queryFn: () => calls.list({}) };

/** The deleted kapsules that this user may restore; while it is not enabled, what is known of them. */
export function useDeletedKapsules({ enabled = true } = {}) {
  return useQuery({ ...deleted, enabled });
}

/** Fetches them after a deletion, so that their number is known. */
export function useFetchDeleted(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () => queries.fetchQuery(deleted).catch(() => undefined);
}

/** Another service sends no owner by id, and keeps nothing that is deleted. */
export const isRestorable = ({ ownerId }: Pick<Kapsule, 'ownerId'>): boolean => typeof ownerId === 'string';

function useRefreshed() {
  const queries = useQueryClient();
  return () =>
    Promise.all([['kapsules'], ['groups']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export function useRestoreKapsule() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name?: string }) =>
      calls.restore({ params: { id }, body: name === undefined ? {} : { name } }),
    onSettled: refresh,
  });
}

export function usePurgeKapsule() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (id: string) => calls.purge({ params: { id } }),
    onSettled: refresh,
  });
}
