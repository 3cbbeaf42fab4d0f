import type { api } from '@kaptain/contract';
import type { Handlers } from '../../http/call.ts';
import { PreparedJson } from '../../http/prepared-json.ts';
import type { Devices } from '../../security/devices.ts';
import type { FirstAdmin } from './first-admin.ts';
import type { Login } from './login.ts';

interface Parts {
  login: Login;
  devices: Devices;
  firstAdmin: FirstAdmin;
}

export const sessionRoutes = ({ login, devices, firstAdmin }: Parts): Handlers<typeof api.session> => ({
  async login({ body }, call) {
    const answer = await login.logIn(body, call);
    return PreparedJson.of(answer, devices.remember(call, answer.user.userId));
  },
  logout: (_, call) => login.logOut(call),
  status: async () => ({ status: (await firstAdmin.exists()) ? 'initialized' : 'initializationNeeded' }),
  init: async ({ body }, call) => ({ status: await firstAdmin.create(body, call) }),
});
