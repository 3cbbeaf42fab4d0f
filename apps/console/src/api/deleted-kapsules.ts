import { deletedKapsules } from '@kaptain/contract/deleted-kapsules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { service } from './service.ts';

const calls = service({ deletedKapsules }).deletedKapsules;

// Below the kapsules, so that a change of those refreshes these.
const DELETED = ['kapsules', 'deleted'];

/** The deleted kapsules that this user may restore; another service has none. */
export function useDeletedKapsules() {
  return useQuery({ queryKey: DELETED, queryFn: ({ signal }) => calls.list({}, { signal }) });
}

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
