import type { api } from '@kaptain/contract';
import type { Call } from '../../base/call/call.ts';
import { PreparedJson } from '../../http/answers/prepared-json.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import type { UsedProvider } from '../oidc/provider.ts';
import type { ProviderLogin } from '../oidc/provider-login.ts';
import type { Devices } from '../passwords/devices.ts';
import type { SecondFactorLogin } from '../second-factor/second-factor-login.ts';
import type { FirstAdmin } from './first-admin.ts';
import type { Login } from './login.ts';
import type { LoginAnswer } from './open-session.ts';

interface Deps {
  login: Login;
  secondFactorLogin: SecondFactorLogin;
  providerLogin: ProviderLogin;
  provider: () => UsedProvider | undefined;
  devices: Devices;
  firstAdmin: FirstAdmin;
}

export function sessionRoutes(parts: Deps): Handlers<typeof api.session> {
  const { login, secondFactorLogin, providerLogin, provider, devices, firstAdmin } = parts;
  const remembered = (answer: LoginAnswer, call: Call) =>
    PreparedJson.of(answer, devices.remember(call, answer.user.userId));
  return {
    login: async ({ body }, call) => remembered(await login.logIn(body, call), call),
    secondFactor: async ({ body }, call) => remembered(await secondFactorLogin.finish(body, call), call),
    startPasskey: ({ body }, call) => secondFactorLogin.startPasskey(body.challenge, call),
    options: () => {
      const used = provider();
      return {
        provider: used?.settings.name ?? null,
        passwordOnlyForAdmin: used?.settings.passwordOnlyForAdmin ?? false,
      };
    },
    startProvider: ({ body }, call) => providerLogin.begin(body, call),
    finishProvider: ({ body }, call) => providerLogin.finish(body, call),
    startProof: (_, call) => providerLogin.beginProof(call),
    async finishProof({ body }, call) {
      await providerLogin.finishProof(body, call);
      return { status: 'success' };
    },
    async logoutProvider(_, call) {
      const url = await providerLogin.logoutUrl(call);
      await login.logOut(call);
      return { url };
    },
    logout: (_, call) => login.logOut(call),
    status: async () => ({ status: (await firstAdmin.exists()) ? 'initialized' : 'initializationNeeded' }),
    init: async ({ body }, call) => ({ status: await firstAdmin.create(body, call) }),
  };
}
