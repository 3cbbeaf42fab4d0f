import type { api } from '@kaptain/contract';
import type { Call, Handlers } from '../../http/call.ts';
import { PreparedJson } from '../../http/prepared-json.ts';
import type { Devices } from '../../security/devices.ts';
import type { FirstAdmin } from './first-admin.ts';
import type { Login } from './login.ts';
import type { LoginAnswer } from './open-session.ts';
import type { SecondFactorLogin } from './second-factor-login.ts';

interface Parts {
  login: Login;
  secondFactorLogin: SecondFactorLogin;
  devices: Devices;
  firstAdmin: FirstAdmin;
}

export function sessionRoutes(parts: Parts): Handlers<typeof api.session> {
  const { login, secondFactorLogin, devices, firstAdmin } = parts;
  const remembered = (answer: LoginAnswer, call: Call) =>
    PreparedJson.of(answer, devices.remember(call, answer.user.userId));
  return {
    login: async ({ body }, call) => remembered(await login.logIn(body, call), call),
    secondFactor: async ({ body }, call) => remembered(await secondFactorLogin(body, call), call),
    logout: (_, call) => login.logOut(call),
    status: async () => ({ status: (await firstAdmin.exists()) ? 'initialized' : 'initializationNeeded' }),
    init: async ({ body }, call) => ({ status: await firstAdmin.create(body, call) }),
  };
}
