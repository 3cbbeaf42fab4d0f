import { PASSWORD } from '../../apps/service/src/testing/test-app.ts';
import { accountName, accounts, type Role, roles } from './roles.ts';
import type { World } from './world.ts';

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A call of the keeper that must succeed. */
type Must = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/** The logins of the roles, whose passwords and locks requests may change. */
export class Logins {
  readonly #world: World;
  readonly #must: Must;

  constructor(world: World, must: Must) {
    this.#world = world;
    this.#must = must;
  }

  async logIn(username: string): Promise<string> {
    const { status, body, text } = await this.#world.call('POST', '/auth/login', {
      body: { username, password: PASSWORD },
    });
    if (status !== 200) throw new Error(`The login of ${username} was answered ${status}: ${text}`);
    return textOf(body['accessToken']);
  }

  /** A request may have changed the password or locked the account. */
  async again(role: Role): Promise<string> {
    try {
      return await this.logIn(accountName(role));
    } catch {
      const userId = this.#world.userIds.get(role) ?? '';
      const account = roles[role].account ?? { role: 'USER', isCreate: false };
      // The id differs from the names of all accounts; otherwise it would be refused.
      const qlikId = `TEST\\${accountName(role)}`;
      const change = { userId, password: PASSWORD, qlikId, ...account };
      // No request can change the password of the first admin.
      if (role !== 'admin') await this.#must('PUT', '/api/user/update', change);
      await this.#must('PUT', `/api/user/unlock/${userId}`);
      return this.logIn(accountName(role));
    }
  }

  /**
   * Checks that every role can still log in: at once, or, when it has rightly changed its password or locked itself by
   * wrong proofs, after the keeper has undone that.
   */
  async all(): Promise<void> {
    for (const role of [...accounts, 'admin'] as const) {
      try {
        await this.logIn(accountName(role));
      } catch (error) {
        if (!(await this.#hasLockedItselfOut(role))) throw error;
        await this.again(role);
      }
    }
  }

  /** Whether the role itself has changed its password, or given a proof, since its last login. */
  async #hasLockedItselfOut(role: Role): Promise<boolean> {
    const actorId = this.#world.userIds.get(role) ?? '';
    const last = async (action: string): Promise<string> => {
      const query = new URLSearchParams({ limit: '1', actorId, action });
      const { data } = await this.#must('GET', `/api/audit?${query}`);
      return (data as { at: string }[])[0]?.at ?? '';
    };
    const login = await last('session.login');
    return (await last('account.password')) > login || (await last('session.proof')) > login;
  }
}
