import type { api, ExtensionToken } from '@kaptain/contract';
import type { Nouns, Store } from '@kaptain/store';
import type { Settings } from '../../config/settings.ts';
import { AppError } from '../../http/app-error.ts';
import type { Call, Handlers } from '../../http/call.ts';
import { readable } from '../../kapsule-rules/kapsule-access.ts';
import { audit } from '../../security/audit.ts';
import { authorName } from '../../security/author-name.ts';
import type { ExtensionAccess, IssuedToken } from '../../security/extension-access.ts';
import { RateLimit } from '../../security/rate-limit.ts';

interface Deps {
  store: Store;
  settings: Settings;
  extensionAccess: ExtensionAccess;
  clock: () => number;
  uptime: () => number;
}

const CODES_PER_MINUTE = 30;

async function shown(nouns: Nouns, { token, grant }: IssuedToken): Promise<ExtensionToken> {
  const user = await nouns.users.get(grant.userId);
  if (!user) throw new AppError('NOT_LOGGED_IN');
  const { expiresAt, kapsuleIds } = grant;
  return { token, expiresAt, author: authorName(user), kapsuleIds };
}

/** The token exchange of the extension: code, token, renewal. */
export function extensionRoutes(deps: Deps): Handlers<typeof api.extension> {
  const { store, settings, extensionAccess, clock, uptime } = deps;
  const codeLimit = new RateLimit([{ count: CODES_PER_MINUTE, perMs: 60_000 }], uptime);
  const isAllowed = (origin: string) => settings.current().corsAllowOrigins.includes(origin);

  /** The page's origin as the browser states it; a script can not set this header. */
  function pageOf(call: Call): string {
    const origin = call.header('origin') ?? '';
    if (!isAllowed(origin)) throw new AppError('FOREIGN_ORIGIN');
    return origin;
  }

  return {
    async createCode({ body }, call) {
      const { origin, kapsuleIds, challenge } = body;
      if (!isAllowed(origin)) throw new AppError('FOREIGN_ORIGIN');
      codeLimit.consume(call.caller.userId, 'Too many sign-ins. Please wait a minute.');
      for (const id of kapsuleIds) await readable(store, id, call.caller);
      return store.transaction(async (nouns) => {
        const code = await extensionAccess.createCode(
          nouns,
          call.caller,
          { origin, kapsuleIds: [...new Set(kapsuleIds)] },
          challenge,
        );
        await audit(nouns, call, clock(), { action: 'extension.signIn', after: { origin, kapsuleIds } });
        return { code };
      });
    },
    async createToken({ body }, call) {
      const origin = pageOf(call);
      if (!(await extensionAccess.isCode(body.code))) throw new AppError('CODE_REFUSED');
      const issued = await store.transaction(async (nouns) => {
        const token = await extensionAccess.redeem(nouns, body.code, body.verifier, origin);
        return token && shown(nouns, token);
      });
      if (!issued) throw new AppError('CODE_REFUSED');
      return issued;
    },
    renewToken: (_, { caller }) =>
      store.transaction(async (nouns) => shown(nouns, await extensionAccess.renew(nouns, caller))),
  };
}
