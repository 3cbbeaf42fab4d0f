import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/call.ts';
import type { FirstAdmin } from './first-admin.ts';
import type { Login } from './login.ts';

interface Parts {
  login: Login;
  firstAdmin: FirstAdmin;
}

export const sessionRoutes = ({ login, firstAdmin }: Parts): Handlers<typeof api.session> => ({
  login: ({ body }, call) => login.logIn(body, call),
  logout: (_, call) => login.logOut(call),
  status: async () => ({ status: (await firstAdmin.exists()) ? 'initialized' : 'initializationNeeded' }),
  init: async ({ body }, call) => ({ status: await firstAdmin.create(body, call) }),
});
