import { type KapsuleView, views } from '@kaptain/contract/views';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { service } from './service.ts';

const calls = service({ views });
const ofKapsule = (id: string) => ['views', id];

export type { KapsuleView } from '@kaptain/contract/views';

/** The views that the user has saved of a kapsule; undefined until they are read, and where they can't be. */
export function useViews(id: string, { enabled }: { enabled: boolean }): KapsuleView[] | undefined {
  const { data } = useQuery({
    queryKey: ofKapsule(id),
    queryFn: ({ signal }) => calls.views.list({ params: { id } }, { signal }),
    enabled,
  });
  return data;
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
