import type { ExtensionGrantRecord, NewDocument, Nouns, Store } from '@kaptain/store';
import type { ExtensionCaller, SessionCaller } from '../../base/call/call.ts';
import type { PlatformPerson } from '../../base/call/caller.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { hashToken, newToken, sameSecret } from '../../base/secrets/tokens.ts';
import { CLOCK_TOLERANCE_MS } from '../../base/time/clock.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { accountOf, isAccountOf, withoutAccount } from '../users/platform-person.ts';

const rules = { codeLifeMs: 60_000, tokenLifeMs: 15 * 60_000, perUser: 50 } as const;

const PREFIX = 'kxt_';
const TOKEN = /^kxt_[\w-]{43}$/;

/** Whether a bearer token has the form of an extension token; those of sessions are shorter. */
export const isExtensionToken = (token: string): boolean => TOKEN.test(token);

/** The kapsules that a code or a token opens, and the page that may use it. */
interface Grant {
  origin: string;
  kapsuleIds: readonly string[];
}

/** The grant that a new token is made from. */
type Opened = Pick<
  ExtensionGrantRecord,
  'userId' | 'sessionId' | 'platformUser' | 'platformPerson' | 'kapsuleIds' | 'origin'
>;

/** A person whom the platform has proven, and the name that is shown for them. */
interface ProvenPerson {
  person: PlatformPerson;
  name: string;
}

export interface IssuedToken {
  token: string;
  grant: ExtensionGrantRecord;
}

/** One that expires later than its lifetime allows was issued while the clock was ahead, and is invalid. */
function isGood({ kind, expiresAt }: ExtensionGrantRecord, now: number): boolean {
  const left = Date.parse(expiresAt) - now;
  const life = kind === 'code' ? rules.codeLifeMs : rules.tokenLifeMs;
  return left > 0 && left <= life + CLOCK_TOLERANCE_MS;
}

export interface ExtensionAccess {
  createCode(nouns: Nouns, caller: SessionCaller, grant: Grant, challenge: string): Promise<string>;
  /** Whether there is such a code; one that was guessed is refused without a turn among the writers. */
  isCode(code: string): Promise<boolean>;
  /** Uses the code up, also when it is refused; undefined when it is. */
  redeem(nouns: Nouns, code: string, verifier: string, origin: string): Promise<IssuedToken | undefined>;
  /** A token for a person that the platform has proven, with the rights of their account where there is one. */
  issueByProof(nouns: Nouns, proven: ProvenPerson, grant: Grant): Promise<IssuedToken>;
  /** Undefined for a token by a proof, which has to be shown again. */
  renew(nouns: Nouns, caller: ExtensionCaller): Promise<IssuedToken | undefined>;
  /** The user of a valid token whose sign-in holds. */
  find(token: string): Promise<ExtensionCaller | undefined>;
  findById(id: string): Promise<ExtensionCaller | undefined>;
}

/** The grant of a code. A token is no code: it must neither be exchanged nor removed as one. */
async function codeOf({ extensionGrants }: Nouns, code: string): Promise<ExtensionGrantRecord | undefined> {
  const [grant] = await extensionGrants.findBy('secretHash', hashToken(code));
  return grant?.kind === 'code' ? grant : undefined;
}

export function createExtensionAccess({
  store,
  sessions,
  clock,
}: {
  store: Store;
  sessions: Sessions;
  clock: () => number;
}): ExtensionAccess {
  /** Removes the expired ones of a user, then the oldest. */
  async function makeRoom({ extensionGrants }: Nouns, userId: string): Promise<void> {
    const all = await extensionGrants.findBy('userId', userId);
    const live = all.filter((grant) => isGood(grant, clock()));
    const kept = new Set(live.slice(-(rules.perUser - 1)));
    for (const grant of all) if (!kept.has(grant)) await extensionGrants.remove(grant.id);
  }

  async function insert(
    nouns: Nouns,
    grant: Omit<NewDocument<ExtensionGrantRecord>, 'expiresAt'>,
    lifeMs: number,
  ): Promise<ExtensionGrantRecord> {
    if (grant.sessionId !== null && !(await nouns.sessions.get(grant.sessionId)))
      throw new AppError('NOT_LOGGED_IN');
    await makeRoom(nouns, grant.userId);
    const expiresAt = new Date(clock() + lifeMs).toISOString();
    return nouns.extensionGrants.insert({ ...grant, expiresAt });
  }

  async function issueToken(
    nouns: Nouns,
    { userId, sessionId, platformUser, platformPerson, kapsuleIds, origin }: Opened,
  ): Promise<IssuedToken> {
    const token = `${PREFIX}${newToken()}`;
    const opened = {
      userId,
      sessionId,
      platformUser: platformUser ?? null,
      platformPerson: platformPerson ?? null,
      kapsuleIds,
      origin,
      challenge: null,
    };
    const grant = await insert(
      nouns,
      { kind: 'token', secretHash: hashToken(token), ...opened },
      rules.tokenLifeMs,
    );
    return { token, grant };
  }

  async function callerOf(grant: ExtensionGrantRecord | undefined): Promise<ExtensionCaller | undefined> {
    if (grant?.kind !== 'token' || !isGood(grant, clock())) return undefined;
    const { id, kapsuleIds, origin, sessionId, platformUser: name, platformPerson: person } = grant;
    if (person && name) return provenCaller(grant, { person, name });
    const caller = sessionId === null ? undefined : await sessions.findById(sessionId);
    if (caller?.userId !== grant.userId) return undefined;
    return { ...caller, extension: { id, kapsuleIds, origin, platformUser: caller.user?.qlikId ?? '' } };
  }

  /** The rights end when the account is deleted or belongs to another user of the platform. */
  async function provenCaller(
    { id, kapsuleIds, origin, userId }: ExtensionGrantRecord,
    { person, name }: ProvenPerson,
  ): Promise<ExtensionCaller | undefined> {
    const extension = { id, kapsuleIds, origin, platformUser: name, person };
    const stranger = { username: name, role: 'USER', isCreate: false, isFirstAdmin: false } as const;
    if (userId === withoutAccount(person)) return { userId, ...stranger, extension };
    const user = await store.users.get(userId);
    if (!user || !isAccountOf(user, person)) return undefined;
    const { username, role, isCreate, isFirstAdmin } = user;
    return { userId, username, role, isCreate, isFirstAdmin, user, extension };
  }

  return {
    async issueByProof(nouns, { person, name }, { origin, kapsuleIds }) {
      const userId = (await accountOf(nouns, person))?.id ?? withoutAccount(person);
      const proven = { platformUser: name, platformPerson: person };
      return issueToken(nouns, { userId, sessionId: null, ...proven, kapsuleIds: [...kapsuleIds], origin });
    },
    async createCode(nouns, { userId, sessionId }, { origin, kapsuleIds }, challenge) {
      const code = newToken();
      const opened = { userId, sessionId, kapsuleIds: [...kapsuleIds], origin, challenge };
      await insert(nouns, { kind: 'code', secretHash: hashToken(code), ...opened }, rules.codeLifeMs);
      return code;
    },
    isCode: async (code) => (await codeOf(store, code)) !== undefined,
    async redeem(nouns, code, verifier, origin) {
      const grant = await codeOf(nouns, code);
      if (!grant) return undefined;
      await nouns.extensionGrants.remove(grant.id);
      const isProven = sameSecret(hashToken(verifier), grant.challenge ?? '');
      if (!isProven || grant.origin !== origin || !isGood(grant, clock())) return undefined;
      const present = await sessions.findById(grant.sessionId ?? '');
      return present?.userId === grant.userId ? issueToken(nouns, grant) : undefined;
    },
    async renew(nouns, { extension }) {
      const grant = await nouns.extensionGrants.get(extension.id);
      if (!grant || !isGood(grant, clock())) throw new AppError('NOT_LOGGED_IN');
      return grant.sessionId === null ? undefined : issueToken(nouns, grant);
    },
    async find(token) {
      const [grant] = await store.extensionGrants.findBy('secretHash', hashToken(token));
      return callerOf(grant);
    },
    findById: async (id) => callerOf(await store.extensionGrants.get(id)),
  };
}
