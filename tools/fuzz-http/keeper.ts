import { createHash } from 'node:crypto';
import { PASSWORD } from '../../apps/service/src/testing/test-app.ts';
import { settingsWithSecrets } from './canaries.ts';
import type { ClientAnswer } from './client.ts';
import { signExtensionIn } from './extension-token.ts';
import { Logins, textOf } from './logins.ts';
import { accountName, accounts, roles } from './roles.ts';
import type { World } from './world.ts';

const SHARED = 6;
const VICTIMS = 4;
const GROUPS = 4;
const KEYS = 4;
const SURPLUS = 30;
/** Users beside the roles, who only hold permits. */
const HOLDERS = ['holder 1', 'holder 2', 'holder 3', 'holder 4'] as const;
/** The groups of the roles that have one, by their names. */
const MEMBERS = [
  ['reader', ['READ']],
  ['writer', ['READ', 'WRITE']],
  ['deleter', ['READ', 'DELETE']],
] as const;
/** Larger than the socket buffers, so that a reader who does not read keeps its answer open. */
const LARGE_GRANULES = 12_000;
/** Of 1,000 characters each, so that a batch fits into one body. */
const LARGE_BATCH = 900;

const structure = (name: string) => ({
  name,
  keyField: 'id',
  fields: [
    { name: 'comment', type: 'text' },
    { name: 'amount', type: 'number' },
  ],
});

/** The first admin, who creates the test data, restores what requests destroyed and deletes what they created. */
export class Keeper {
  readonly #world: World;
  #token = '';
  #count = 0;
  largeId = '';
  readonly holders = new Map<string, string>();
  readonly #groupIds = new Map<string, string>();
  #witnessHash = '';
  readonly #logins: Logins;
  #isHealing = false;

  constructor(world: World) {
    this.#world = world;
    this.#logins = new Logins(world, this.#must.bind(this));
  }

  get token(): string {
    return this.#token;
  }

  async #ask(method: string, path: string, body?: unknown): Promise<ClientAnswer> {
    const answer = await this.#world.call(method, path, { token: this.#token, body });
    if (answer.status !== 401) return answer;
    this.#token = await this.#logins.logIn('admin');
    return this.#world.call(method, path, { token: this.#token, body });
  }

  /** Like #ask, for requests that must succeed. */
  async #must(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await this.#ask(method, path, body);
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path} of the keeper was answered ${answer.status}: ${answer.text.slice(0, 300)}`,
      );
    return answer.body;
  }

  async fill(): Promise<void> {
    const world = this.#world;
    await this.#must('POST', '/api/user/init', { username: 'admin', password: PASSWORD });
    this.#token = await this.#logins.logIn('admin');
    world.tokens.set('admin', await this.#logins.logIn('admin'));
    const [admin] = (await this.#must('GET', '/api/user/list'))['data'] as { userId: string }[];
    world.userIds.set('admin', admin?.userId ?? '');
    await this.#must('PUT', '/configuration/sys/update/info', settingsWithSecrets);
    for (const role of accounts) {
      const account = roles[role].account ?? { role: 'USER', isCreate: false };
      world.userIds.set(role, await this.#addUser(accountName(role), account.role, account.isCreate));
      world.tokens.set(role, await this.#logins.logIn(accountName(role)));
    }
    for (const name of HOLDERS) {
      world.userIds.set(name, await this.#addUser(name, 'USER', true));
      this.holders.set(name, await this.#logins.logIn(name));
    }
    const ended = await this.#logins.logIn(accountName('USER'));
    await world.call('POST', '/auth/logout', { token: ended });
    world.tokens.set('revoked', ended);
    world.key = textOf((await this.#must('GET', '/api/privatekey/get'))['apikey']);
    await this.#must('POST', '/api/privatekey/create', { name: 'fuzz', apikey: world.key });
    world.readKey = textOf((await this.#must('GET', '/api/privatekey/get'))['apikey']);
    const reading = { name: 'fuzz reads', apikey: world.readKey, authority: 'READ' };
    await this.#must('POST', '/api/privatekey/create', reading);
    world.witnessId = await this.#addKapsule('witness');
    world.foreignId = await this.#addKapsule('foreign');
    this.largeId = await this.#addKapsule('large');
    await this.#addGranules(world.witnessId, 50, 20);
    for (let from = 0; from < LARGE_GRANULES; from += LARGE_BATCH)
      await this.#addGranules(this.largeId, LARGE_BATCH, 1000, from);
    const large = { kapsules: [{ kapsulecode: this.largeId }], authority: ['READ'] };
    const users = [...HOLDERS, 'reader', 'writer', 'deleter', 'owner'].map((name) => ({
      userid: world.userIds.get(name),
    }));
    await this.#must('POST', '/api/group/create', { groupname: 'large', ...large, users });
    for (const [groupname, authority] of MEMBERS) {
      const made = { groupname, authority, kapsules: [], users: [] };
      this.#groupIds.set(groupname, textOf((await this.#must('POST', '/api/group/create', made))['_id']));
    }
    await this.heal();
    this.#witnessHash = await this.#hashOfWitness();
  }

  /** Restores the objects that requests need, and deletes others. */
  async heal(): Promise<void> {
    await this.#must('PUT', '/configuration/sys/update/info', settingsWithSecrets);
    await this.#healSessions();
    await this.#healUsers();
    await this.#healKapsules();
    await signExtensionIn(this.#world);
    await this.#healGroups();
    await this.#healKeys();
    await this.#healJobs();
  }

  async isWitnessWhole(): Promise<boolean> {
    return (await this.#hashOfWitness()) === this.#witnessHash;
  }

  /** Ordinary calls, after which the memory of the attacks can be collected. */
  async workHonestly(): Promise<void> {
    for (let count = 0; count < 200; count++) await this.#ask('GET', '/api/kapsule');
  }

  /** Checks that every role can still log in. */
  logInAll(): Promise<void> {
    return this.#logins.all();
  }

  async #hashOfWitness(): Promise<string> {
    const id = this.#world.witnessId;
    const kapsule = await this.#ask('GET', `/api/kapsule/${id}`);
    const granules = await this.#ask('GET', `/api/kapsule/${id}/sql/read/internal`);
    return createHash('sha256')
      .update(`${kapsule.status}${kapsule.text}${granules.status}${granules.text}`)
      .digest('hex');
  }

  async #addUser(username: string, role: string, isCreate: boolean): Promise<string> {
    const user = { username, password: PASSWORD, role, isCreate, qlikId: `TEST\\${username}`, groups: [] };
    return textOf((await this.#must('POST', '/api/user/create', user))['userId']);
  }

  async #addKapsule(name: string, token = this.#token): Promise<string> {
    const answer = await this.#world.call('POST', '/api/kapsule', { token, body: structure(name) });
    if (answer.status !== 200)
      throw new Error(`The kapsule ${name} was answered ${answer.status}: ${answer.text}`);
    return textOf(answer.body['_id']);
  }

  async #addGranules(id: string, count: number, size: number, from = 0): Promise<string[]> {
    const granules = Array.from({ length: count }, (_, index) => ({
      key: String(from + index),
      data: { comment: 'x'.repeat(size), amount: index },
    }));
    const answer = await this.#must('PUT', `/api/kapsule/${id}/granules`, { granules });
    return (answer['granules'] as { _id: string }[]).map(({ _id }) => _id);
  }

  async #healSessions(): Promise<void> {
    const { tokens, suspects } = this.#world;
    suspects.clear();
    for (const role of [...accounts, 'admin'] as const)
      if (await this.#hasEnded(tokens.get(role))) this.#world.giveToken(role, await this.#logins.again(role));
    for (const [name, token] of this.holders)
      if (await this.#hasEnded(token)) this.holders.set(name, await this.#logins.logIn(name));
  }

  async #hasEnded(token: string | undefined): Promise<boolean> {
    return (await this.#world.call('GET', '/api/account/sessions', { token })).status === 401;
  }

  /** Logs in again where requests have ended the session. */
  async healSuspects(): Promise<void> {
    if (this.#world.suspects.size === 0 || this.#isHealing) return;
    this.#isHealing = true;
    try {
      await this.#healSessions();
    } finally {
      this.#isHealing = false;
    }
  }

  async #healUsers(): Promise<void> {
    const { ids, userIds } = this.#world;
    const { data } = (await this.#must('GET', '/api/user/list')) as unknown as {
      data: { userId: string; username: string }[];
    };
    const kept = new Set<string>(['admin', ...accounts.map(accountName), ...HOLDERS]);
    const others = data.filter(({ username }) => !kept.has(username));
    for (const { userId } of others.slice(SURPLUS)) await this.#ask('DELETE', `/api/user/${userId}`);
    const victims = others.slice(0, SURPLUS).filter(({ username }) => username.startsWith('victim '));
    while (victims.length < VICTIMS) {
      const username = `victim ${++this.#count}`;
      victims.push({ username, userId: await this.#addUser(username, 'USER', false) });
    }
    ids.user = victims.slice(0, VICTIMS).map(({ userId }) => userId);
    for (const { userId, username } of victims) userIds.set(userId, username);
  }

  async #healKapsules(): Promise<void> {
    const { ids, witnessId, foreignId, userIds } = this.#world;
    const list = (await this.#must('GET', '/api/kapsule')) as unknown as { _id: string; name: string }[];
    const others = list.filter(({ _id }) => ![witnessId, foreignId, this.largeId].includes(_id));
    const shared = others.filter(({ name }) => name.startsWith('shared ')).slice(0, SHARED);
    const surplus = others.filter((kapsule) => !shared.includes(kapsule)).slice(SURPLUS, SURPLUS + 1000);
    if (surplus.length > 0)
      await this.#ask('DELETE', '/api/kapsule/sql', { kapsuleIds: surplus.map(({ _id }) => _id) });
    ids.kapsule = shared.map(({ _id }) => _id);
    const deleted = (await this.#must('GET', '/api/kapsule/deleted')) as unknown as { _id: string }[];
    ids.deletedKapsule = deleted.slice(0, SURPLUS).map(({ _id }) => _id);
    for (const { _id } of deleted.slice(SURPLUS)) await this.#ask('DELETE', `/api/kapsule/deleted/${_id}`);
    const isOwnersTurn = () => ids.kapsule.length % 2 === 0;
    while (ids.kapsule.length < SHARED) {
      const token = isOwnersTurn() ? this.#world.token('owner') : this.#token;
      ids.kapsule.push(await this.#addKapsule(`shared ${++this.#count}`, token));
    }
    this.#world.granuleIds = await this.#addGranules(ids.kapsule[0] ?? '', 10, 20);
    const kapsules = ids.kapsule.map((kapsulecode) => ({ kapsulecode }));
    for (const [groupname, authority] of MEMBERS) {
      const groupId = this.#groupIds.get(groupname);
      const users = [{ userid: userIds.get(groupname) }];
      const group = { groupId, groupname, authority, kapsules, users };
      await this.#must('PUT', `/api/group/update/${groupId}`, group);
    }
  }

  async #healGroups(): Promise<void> {
    const list = (await this.#must('GET', '/api/group/list')) as unknown as {
      _id: string;
      groupname: string;
    }[];
    const others = list.filter(({ groupname }) => groupname !== 'large' && !this.#groupIds.has(groupname));
    for (const { _id } of others.slice(SURPLUS)) await this.#ask('DELETE', `/api/group/del/${_id}`);
    const ids = others.slice(0, GROUPS).map(({ _id }) => _id);
    while (ids.length < GROUPS) {
      const group = { groupname: `group ${++this.#count}`, authority: ['READ'], kapsules: [], users: [] };
      ids.push(textOf((await this.#must('POST', '/api/group/create', group))['_id']));
    }
    this.#world.ids.group = ids;
  }

  async #healKeys(): Promise<void> {
    const list = (await this.#must('GET', '/api/privatekey/list')) as unknown as {
      _id: string;
      name: string;
    }[];
    const others = list.filter(({ name }) => !name.startsWith('fuzz'));
    for (const { _id } of others.slice(SURPLUS)) await this.#ask('DELETE', `/api/privatekey/del/${_id}`);
    const ids = others.slice(0, KEYS).map(({ _id }) => _id);
    while (ids.length < KEYS) {
      const { apikey } = await this.#must('GET', '/api/privatekey/get');
      const created = await this.#must('POST', '/api/privatekey/create', {
        name: `key ${++this.#count}`,
        apikey,
      });
      ids.push(textOf(created['_id']));
    }
    this.#world.ids.apiKey = ids;
  }

  async #healJobs(): Promise<void> {
    const { ids } = this.#world;
    if (ids.job.length > 0) return;
    ids.job = [textOf((await this.#must('POST', '/api/job', { appId: 'an app' }))['_id'])];
  }
}
