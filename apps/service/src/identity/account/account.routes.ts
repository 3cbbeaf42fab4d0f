import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/server/handlers.ts';
import { type ChangePasswordDeps, changePassword } from './change-password.ts';
import { ownSessions } from './own-sessions.ts';

export function accountRoutes(deps: ChangePasswordDeps): Handlers<typeof api.account> {
  const change = changePassword(deps);
  const sessions = ownSessions(deps);
  return {
    async changePassword({ body }, call) {
      await change(body, call);
      return { status: 'success' };
    },
    sessions: (_, call) => sessions.list(call),
    async endSession({ params }, call) {
      await sessions.endOne(params.id, call);
      return { status: 'success' };
    },
    endOtherSessions: async (_, call) => ({ ended: await sessions.endOthers(call) }),
  };
}
