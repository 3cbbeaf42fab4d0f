import { views } from '@kaptain/contract/views';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { service } from './service.ts';

const calls = service({ views });
const ofKapsule = (id: string) => ['views', id];

export type { KapsuleView } from '@kaptain/contract/views';

/** The views that the user has saved of a kapsule. */
export function useViews(id: string, { enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ofKapsule(id),
    queryFn: ({ signal }) => calls.views.list({ params: { id } }, { signal }),
    enabled,
  });
}

export function useSaveView(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (view: { name: string; query: string }) => calls.views.save({ params: { id }, body: view }),
    onSettled: () => queries.invalidateQueries({ queryKey: ofKapsule(id) }),
  });
}

export function useRemoveView(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (viewId: string) => calls.views.remove({ params: { id, viewId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ofKapsule(id) }),
  });
}
