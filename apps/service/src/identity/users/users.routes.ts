import type { api, User } from '@kaptain/contract';
import { AnswerCache } from '../../http/answers/answer-cache.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { createUser } from './create-user.ts';
import { listUsers } from './list-users.ts';
import { type RemovalDeps, removeUser } from './remove-user.ts';
import { unlockUser } from './unlock-user.ts';
import { updateUser } from './update-user.ts';
import { userSessions } from './user-sessions.ts';

const success = { status: 'success' };

export function usersRoutes(deps: RemovalDeps): Handlers<typeof api.users> {
  const { store, clock } = deps;
  const sessions = userSessions(deps);
  const lists = new AnswerCache<{ data: User[] }>(store, clock, 1);
  const [create, update, unlock, remove] = [
    createUser(deps),
    updateUser(deps),
    unlockUser(deps),
    removeUser(deps),
  ];
  return {
    list: (_, { caller }) => lists.get('', caller, () => listUsers(store, clock())),
    create: async ({ body }, call) => ({ ...success, userId: await create(body, call) }),
    async update({ body }, call) {
      await update(body, call);
      return { ...success, userId: body.userId };
    },
    async unlock({ params }, call) {
      await unlock(params.id, call);
      return success;
    },
    sessions: ({ params }, call) => sessions.list(params.id, call),
    endSessions: async ({ params }, call) => ({ ended: await sessions.endAll(params.id, call) }),
    async endSession({ params }, call) {
      await sessions.endOne(params.id, params.sessionId, call);
      return success;
    },
    async remove({ params, query }, call) {
      await remove(params.id, query.newOwner, call);
      return success;
    },
  };
}
