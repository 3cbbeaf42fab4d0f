import { jobs } from '@kaptain/contract/logs';
import type { CallInput } from '@kaptain/contract/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { service } from './service.ts';

const calls = service({ jobs }).jobs;
const SCHEDULES = ['schedules'];

/** Every kapsule with its app and its schedule. */
export function useSchedules() {
  return useQuery({ queryKey: SCHEDULES, queryFn: ({ signal }) => calls.schedules({}, { signal }) });
}

export function useSetSchedule() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (
      wish: CallInput<typeof jobs.setSchedule>['params'] & CallInput<typeof jobs.setSchedule>['body'],
    ) => {
      const { kapsuleId, ...body } = wish;
      return calls.setSchedule({ params: { kapsuleId }, body });
    },
    // The kapsules have the app too.
    onSettled: () =>
      Promise.all([SCHEDULES, ['kapsules']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
