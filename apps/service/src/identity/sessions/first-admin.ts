import { foldName, type Nouns, type Store, UniqueError } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { sameSecret } from '../../base/secrets/tokens.ts';
import type { RateLimit } from '../../http/limits/rate-limit.ts';
import { isTrustedHost } from '../../http/server/is-trusted-host.ts';
import { refuseGuessable } from '../passwords/guessable-passwords.ts';
import type { Passwords } from '../passwords/passwords.ts';

interface FirstAdminDeps {
  store: Store;
  passwords: Passwords;
  setupToken: string | undefined;
  publicHosts: readonly string[];
  wrongTokenLimit: RateLimit;
  clock: () => number;
}

type Outcome = 'initialized' | 'adminExist';

export interface FirstAdmin {
  exists(): Promise<boolean>;
  create(given: { password: string; setupToken?: string | undefined }, call: Call): Promise<Outcome>;
}

const USERNAME = 'admin';
const IN_PROGRESS = 'Another call is creating the first admin. Please try again in a second.';
const TOO_MANY = 'Too many wrong setup tokens from this address. Please try again later.';

export function createFirstAdmin(deps: FirstAdminDeps): FirstAdmin {
  const { store, passwords, setupToken, publicHosts, wrongTokenLimit, clock } = deps;
  /** The creation in progress; parallel calls wait for it instead of hashing too. */
  let creation: Promise<Outcome> | undefined;
  /** Cached once true: a first admin exists for ever after. */
  let isKnown = false;

  async function exists(): Promise<boolean> {
    isKnown ||= (await store.instance.all()).length > 0;
    return isKnown;
  }

  function checkAllowed(givenToken: string | undefined, call: Call): void {
    const isRightToken =
      setupToken !== undefined && givenToken !== undefined && sameSecret(givenToken, setupToken);
    if (isRightToken) return;
    if (setupToken !== undefined) {
      if (givenToken !== undefined) wrongTokenLimit.consume(call.ip, TOO_MANY);
      throw new AppError('SETUP_TOKEN_REQUIRED');
    }
    if (!isTrustedHost(call.hostname, publicHosts))
      throw new AppError(
        'FOREIGN_ORIGIN',
        'The first admin can only be created under a known name of this computer: open it by localhost or its address, ' +
          'or add the name you use to "publicHosts" in kaptain.json in the data folder.',
      );
  }

  async function insertAdmin(nouns: Nouns, passwordHash: string, call: Call): Promise<void> {
    const at = new Date(clock()).toISOString();
    await nouns.instance.insert({ singleton: 'instance', initializedAt: at });
    const user = await nouns.users.insert({
      username: USERNAME,
      nameKey: foldName(USERNAME),
      passwordHash,
      role: 'ADMIN',
      qlikId: '',
      isCreate: true,
      isFirstAdmin: true,
      loginAttempts: 0,
      lockCount: 0,
      lockTime: null,
      lastLoginAttempt: null,
      createdAt: at,
      updatedAt: at,
    });
    const target = { noun: 'user', id: user.id, name: USERNAME };
    await audit(nouns, call, clock(), {
      action: 'instance.init',
      actor: { id: user.id, username: USERNAME },
      target,
    });
  }

  async function initialize(password: string, call: Call): Promise<Outcome> {
    const passwordHash = await passwords.admit(() => passwords.hash(password));
    try {
      await store.transaction((nouns) => insertAdmin(nouns, passwordHash, call));
    } catch (error) {
      // Another process has created the admin first.
      if (error instanceof UniqueError && error.noun === 'instance') return 'adminExist';
      throw error;
    }
    return 'initialized';
  }

  return {
    exists,
    async create(given, call) {
      if (await exists()) return 'adminExist';
      checkAllowed(given.setupToken, call);
      refuseGuessable(given.password, USERNAME);
      if (creation) {
        await creation.catch(() => undefined);
        if (await exists()) return 'adminExist';
        throw new AppError('TOO_MANY_REQUESTS', IN_PROGRESS, { retryAfter: 1 });
      }
      creation = initialize(given.password, call);
      try {
        return await creation;
      } finally {
        creation = undefined;
      }
    },
  };
}
