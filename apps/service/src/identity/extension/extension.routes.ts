import type { Actor, api, ExtensionToken, PlatformUser } from '@kaptain/contract';
import type { Nouns, Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { RateLimit } from '../../http/limits/rate-limit.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { authorKey } from '../users/author-id.ts';
import { authorName } from '../users/author-name.ts';
import { accountOf, platformName, platformPersonOf, withoutAccount } from '../users/platform-person.ts';
import type { ExtensionAccess, IssuedToken } from './extension-access.ts';
import type { PlatformProof } from './platform-proof.ts';

interface Deps {
  store: Store;
  settings: Settings;
  extensionAccess: ExtensionAccess;
  proof: PlatformProof;
  clock: () => number;
  uptime: () => number;
  /** Refuses a kapsule that this person may not use on a sheet. */
  readableOnSheet: (nouns: Nouns, id: string, caller: Actor, platformUser: string) => Promise<unknown>;
}

const CODES_PER_MINUTE = 30;
/** Refused ones, each of which has asked the platform; a whole company may come from one address. */
const REFUSED_PROOFS_PER_MINUTE = 60;

async function shown(nouns: Nouns, { token, grant }: IssuedToken): Promise<ExtensionToken> {
  const { userId, platformUser, platformPerson, expiresAt, kapsuleIds } = grant;
  const user = await nouns.users.get(userId);
  const author = platformUser ?? (user && authorName(user));
  const id = user ? { account: user.id } : platformPerson;
  if (!author || !id) throw new AppError('NOT_LOGGED_IN');
  return { token, expiresAt, author, person: authorKey(id), kapsuleIds };
}

/** The token exchange of the extension: code, token, renewal. */
export function extensionRoutes(deps: Deps): Handlers<typeof api.extension> {
  const { store, settings, extensionAccess, proof, clock, uptime, readableOnSheet } = deps;
  const codeLimit = new RateLimit([{ count: CODES_PER_MINUTE, perMs: 60_000 }], uptime);
  const proofLimit = new RateLimit([{ count: REFUSED_PROOFS_PER_MINUTE, perMs: 60_000 }], uptime);
  const isAllowed = (origin: string) => settings.current().corsAllowOrigins.includes(origin);

  /** The page's origin as the browser states it; a script can't set this header. */
  function pageOf(call: Call): string {
    const origin = call.header('origin') ?? '';
    if (!isAllowed(origin)) throw new AppError('FOREIGN_ORIGIN');
    return origin;
  }

  /** A token for the person that the platform has proven, for kapsules that they may use on a sheet. */
  async function tokenOf(
    prove: () => Promise<PlatformUser | undefined>,
    kapsuleIds: readonly string[],
    call: Call,
  ): Promise<ExtensionToken> {
    const origin = pageOf(call);
    const refund = proofLimit.consume(call.ip, 'Too many sign-ins. Please wait a minute.');
    const person = await prove();
    if (!person) throw new AppError('PLATFORM_PROOF_REFUSED');
    refund();
    const proven = { person: platformPersonOf(person), name: platformName(person) };
    const { name } = proven;
    return store.transaction(async (nouns) => {
      const account = await accountOf(nouns, proven.person);
      const stranger = {
        userId: withoutAccount(proven.person),
        role: 'USER',
        isCreate: false,
        isFirstAdmin: false,
      } as const;
      const actor = account ? { ...account, userId: account.id } : stranger;
      for (const id of kapsuleIds) await readableOnSheet(nouns, id, actor, name);
      const issued = await extensionAccess.issueByProof(nouns, proven, {
        origin,
        kapsuleIds: [...new Set(kapsuleIds)],
      });
      await audit(nouns, call, clock(), {
        action: 'extension.proof',
        actor: { id: actor.userId, username: account?.username ?? name },
        after: { origin, kapsuleIds, platformUser: name },
      });
      return shown(nouns, issued);
    });
  }

  return {
    createTokenBySession: ({ body }, call) =>
      tokenOf(() => proof.bySession(call.header('cookie') ?? ''), body.kapsuleIds, call),
    createTokenByCloud: ({ body }, call) =>
      tokenOf(() => proof.byToken(body.accessToken), body.kapsuleIds, call),
    async createCode({ body }, call) {
      const { origin, kapsuleIds, challenge } = body;
      if (!isAllowed(origin)) throw new AppError('FOREIGN_ORIGIN');
      codeLimit.consume(call.caller.userId, 'Too many sign-ins. Please wait a minute.');
      const user = await store.users.get(call.caller.userId);
      for (const id of kapsuleIds) await readableOnSheet(store, id, call.caller, user?.qlikId ?? '');
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
      store.transaction(async (nouns) => {
        const issued = await extensionAccess.renew(nouns, caller);
        if (!issued) throw new AppError('PLATFORM_PROOF_REFUSED');
        return shown(nouns, issued);
      }),
  };
}
