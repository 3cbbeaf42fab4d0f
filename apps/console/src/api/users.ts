import type { CallInput } from '@kaptain/contract/route';
import { users } from '@kaptain/contract/users';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../shared/message-of.ts';
import { isUnproven } from './identity-answers.ts';
import { ignoringAnswer } from './ignoring-answer.ts';
import { service } from './service.ts';

const calls = service({ users }).users;

export type NewUser = CallInput<typeof users.create>['body'];
export type ChangedUser = CallInput<typeof users.update>['body'];

const USERS = ['users'];

export function useUsers({ enabled = true } = {}) {
  return useQuery({
    queryKey: USERS,
    queryFn: async ({ signal }) => (await calls.list({}, { signal })).data,
    enabled,
  });
}

/** Invalidates users and groups: both lists show the membership. */
function useRefreshed() {
  const queries = useQueryClient();
  return () => Promise.all([USERS, ['groups']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export function useSaveUser() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (body: NewUser | ChangedUser) =>
      ignoringAnswer('userId' in body ? calls.update({ body }) : calls.create({ body })),
    onSuccess: refresh,
  });
}

interface Creation {
  /** Why the user was not created. */
  failure?: string;
  /** The person did not prove their identity, and each further user would ask for it again. */
  isUnproven: boolean;
}

/** Creates one user after the other; `refresh` shows the new ones. */
export function useCreateUsers() {
  const refresh = useRefreshed();
  return {
    one: (body: NewUser): Promise<Creation> =>
      calls.create({ body }).then(
        () => ({ isUnproven: false }),
        (error: unknown) => ({ failure: messageOf(error), isUnproven: isUnproven(error) }),
      ),
    refresh,
  };
}

export function useRemoveUser() {
  const queries = useQueryClient();
  const refresh = useRefreshed();
  return useMutation({
    /** The new owner gets the kapsules of the deleted user. */
    mutationFn: ({ id, newOwner }: { id: string; newOwner: string | undefined }) =>
      ignoringAnswer(calls.remove({ params: { id }, query: { newOwner } })),
    onSettled: async () => {
      await Promise.all([refresh(), queries.invalidateQueries({ queryKey: ['kapsules'] })]);
    },
  });
}

export function useUnlockUser() {
  const refresh = useRefreshed();
  return useMutation({
    mutationFn: (id: string) => ignoringAnswer(calls.unlock({ params: { id } })),
    onSettled: refresh,
  });
}

const sessionsOf = (id: string) => [...USERS, id, 'sessions'];

export function useUserSessions(id: string) {
  return useQuery({
    queryKey: sessionsOf(id),
    queryFn: ({ signal }) => calls.sessions({ params: { id } }, { signal }),
    staleTime: 0,
  });
}

/** Ends one session of a user, or without its id all of them. */
export function useEndUserSessions(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sessionId?: string): Promise<void> => {
      if (sessionId === undefined) await calls.endSessions({ params: { id } });
      else await calls.endSession({ params: { id, sessionId } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsOf(id) }),
  });
}
