import { jobs } from '@kaptain/contract/logs';
import type { CallInput } from '@kaptain/contract/route';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { service } from './service.ts';

const calls = service({ jobs }).jobs;
const SCHEDULES = ['schedules'];

/** Every kapsule with its app and its schedule. */
export function useSchedules() {
  return useQuery({ queryKey: SCHEDULES, queryFn: ({ signal }) => calls.schedules({}, { signal }) });
}

/** The next runs of a schedule that is being edited, or why it is none. */
export function useSchedulePreview() {
  const [asked, ask] = useState<{ cron: string; timeZone: string }>();
  const { data, error } = useQuery({
    queryKey: [...SCHEDULES, 'preview', asked],
    queryFn: ({ signal }) => calls.previewSchedule({ query: asked ?? { cron: '' } }, { signal }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
  });
  return {
    preview: { runs: data?.nextRuns ?? [], problem: error?.message },
    onPreview: (cron: string | null, timeZone: string) => ask(cron === null ? undefined : { cron, timeZone }),
  };
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
