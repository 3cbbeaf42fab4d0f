import { dataApi } from '@kaptain/contract/data-api';
import { kapsules } from '@kaptain/contract/kapsules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isUnderWay } from './log-query.ts';
import { service } from './service.ts';
import { useNoteStarted } from './started-reloads.ts';

const calls = service({ kapsules, dataApi });
const LIVE_MS = 2000;

/** The app, schedule, last reload and groups of a kapsule, kept up to date while its reload is queued or runs. */
export function useKapsuleOverview(id: string) {
  return useQuery({
    queryKey: ['kapsules', id, 'overview'],
    queryFn: ({ signal }) => calls.kapsules.overview({ params: { id } }, { signal }),
    refetchInterval: ({ state }) => {
      const job = state.data?.lastReload;
      return job && isUnderWay(job) ? LIVE_MS : false;
    },
  });
}

/** Queues a reload of the app of a kapsule. */
export function useReloadKapsule(id: string) {
  const queries = useQueryClient();
  const noteStarted = useNoteStarted();
  return useMutation({
    mutationFn: () => calls.dataApi.reload({ params: { id }, body: {} }),
    onSuccess: noteStarted,
    onSettled: () =>
      Promise.all([['kapsules', id], ['logs']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
