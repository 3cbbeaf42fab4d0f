import { groups } from '@kaptain/contract/groups';
import type { CallInput } from '@kaptain/contract/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ignoringAnswer } from './ignoring-answer.ts';
import { service } from './service.ts';

const calls = service({ groups }).groups;

export type NewGroup = CallInput<typeof groups.create>['body'];
export type ChangedGroup = CallInput<typeof groups.update>['body'];

const GROUPS = ['groups'];

export function useGroups({ enabled = true } = {}) {
  return useQuery({
    queryKey: GROUPS,
    queryFn: ({ signal }) => calls.list({}, { signal }),
    enabled,
  });
}

export function useGroupsOf(userId: string, { enabled = true } = {}) {
  return useQuery({
    queryKey: [...GROUPS, 'of', userId],
    queryFn: ({ signal }) => calls.findByUser({ params: { id: userId } }, { signal }),
    enabled,
  });
}

/** Invalidates groups, users and kapsules: a group decides which users see which kapsules. */
function useRefreshed() {
  const queries = useQueryClient();
  return () =>
    Promise.all([GROUPS, ['users'], ['kapsules']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export function useSaveGroup() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: NewGroup | ChangedGroup) =>
      ignoringAnswer(
        'groupId' in body
          ? calls.update({ params: { groupId: body.groupId }, body })
          : calls.create({ body }),
      ),
    // After a failure too: another user may have changed the group.
    onSettled: refresh,
  });
}

export function useRemoveGroup() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (id: string) => ignoringAnswer(calls.remove({ params: { id } })),
    onSettled: refresh,
  });
}
