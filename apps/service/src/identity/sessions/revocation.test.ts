import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { KapsuleRecord } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { slowReader } from '../../testing/slow-reader.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';

/** Ruth is an ADMIN with two sessions and an API key; vera a USER with one. Each cast has its own. */
interface Cast {
  app: TestApp;
  /** Has 3,000 granules, which vera may read. */
  kapsule: KapsuleRecord;
  admin: Caller;
  ruth: Caller;
  ruthElsewhere: Caller;
  vera: Caller;
  key: string;
  ruthId: string;
  veraId: string;
  ruthName: string;
  veraName: string;
}

const idOf = async (app: TestApp, nameKey: string) =>
  (await app.store.users.findBy('nameKey', nameKey))[0]?.id ?? 'missing';

let casts = 0;

async function cast({ app, kapsule }: Stage): Promise<Cast> {
  casts += 1;
  const [ruthName, veraName] = [`ruth ${casts}`, `vera ${casts}`];
  const ruthIsAdmin = { role: 'ADMIN', isCreate: true } as const;
  const [admin, ruth] = [await app.asAdmin(), await app.asUser(ruthName, ruthIsAdmin)];
  const [ruthElsewhere, vera] = [await app.asUser(ruthName), await app.asUser(veraName)];
  const key = String((await ruth.get('/api/privatekey/get')).body['apikey']);
  await ruth.post('/api/privatekey/create', { name: 'loader', apikey: key });
  const [ruthId, veraId] = [await idOf(app, ruthName), await idOf(app, veraName)];
  return {
    app,
    kapsule,
    admin,
    ruth,
    ruthElsewhere,
    vera,
    key,
    ruthId,
    veraId,
    ruthName,
    veraName,
  };
}

/** A service with a kapsule whose downloads take several chunks. */
interface Stage {
  app: TestApp;
  kapsule: KapsuleRecord;
}

async function openStage(): Promise<Stage> {
  const app = await testApp({ settingsFile: { settings: { apiKey: true } } });
  await listenLocally(app.http);
  const kapsule = await addKapsule(app.store, 'Sales');
  await addGranules(app.store, kapsule, 3000);
  return { app, kapsule };
}

const update = (caller: Caller, userId: string, change: Record<string, unknown>) =>
  caller.call('PUT', '/api/user/update', {
    body: { userId, role: 'USER', groups: [], qlikId: `CORP\\${userId}`, isCreate: false, ...change },
  });

const newPassword = 'quite another one';

interface Case {
  event: string;
  happens: (cast: Cast) => Promise<{ status: number }>;
  /** The credentials that stay valid: the session that made the change, the other one of ruth, her key, the one of vera. */
  lives: { ruth: boolean; ruthElsewhere: boolean; key: boolean; vera: boolean };
}

const all = { ruth: true, ruthElsewhere: true, key: true, vera: true };

const cases: Case[] = [
  {
    event: 'logout',
    happens: ({ ruth }) => ruth.post('/auth/logout'),
    lives: { ...all, ruth: false },
  },
  {
    event: 'one’s own password change',
    happens: ({ ruth }) =>
      ruth.call('PUT', '/api/account/password', { body: { currentPassword: PASSWORD, newPassword } }),
    lives: { ...all, ruthElsewhere: false },
  },
  {
    event: 'one’s own password set on the page of users',
    happens: ({ ruth, ruthId }) => update(ruth, ruthId, { role: 'ADMIN', password: newPassword }),
    lives: { ...all, ruthElsewhere: false },
  },
  {
    event: 'signing out elsewhere',
    happens: ({ ruth }) => ruth.call('DELETE', '/api/account/sessions'),
    lives: { ...all, ruthElsewhere: false },
  },
  {
    event: 'a password reset by an ADMIN',
    happens: ({ admin, ruthId }) => update(admin, ruthId, { role: 'ADMIN', password: newPassword }),
    lives: { ...all, ruth: false, ruthElsewhere: false },
  },
  {
    event: 'a demotion',
    happens: ({ admin, ruthId }) => update(admin, ruthId, { role: 'USER' }),
    lives: { ...all, ruth: false, ruthElsewhere: false, key: false },
  },
  {
    event: 'a promotion',
    happens: ({ admin, veraId }) => update(admin, veraId, { role: 'ADMIN' }),
    lives: { ...all, vera: false },
  },
  {
    event: 'a deletion',
    happens: ({ admin, ruthId }) => admin.call('DELETE', `/api/user/${ruthId}`),
    lives: { ...all, ruth: false, ruthElsewhere: false, key: false },
  },
  {
    event: 'a change of nothing but the platform id',
    happens: ({ admin, ruthId }) =>
      update(admin, ruthId, { role: 'ADMIN', qlikId: `CORP\\ruth of ${ruthId}` }),
    lives: all,
  },
  {
    event: 'a change of groups',
    happens: ({ admin, veraId }) =>
      admin.post('/api/group/create', {
        groupname: `of ${veraId}`,
        authority: ['READ'],
        users: [{ userid: veraId }],
      }),
    lives: all,
  },
];

/** Downloads of all callers that have begun and are half sent. */
async function openDownloads({ app, kapsule, ruth, ruthElsewhere, vera, key, veraName }: Cast) {
  const group = await grant(app.store, veraName, ['READ'], [kapsule]);
  const { granules } = app.store;
  const stream = granules.stream.bind(granules);
  const { promise: others, resolve } = Promise.withResolvers<void>();
  granules.stream = async function* (...given) {
    for await (const chunk of stream(...given)) {
      yield chunk;
      await others;
    }
  };
  const { port } = app.http.server.address() as AddressInfo;
  const path = `/api/kapsule/${kapsule.id}/sql/read?format=ndjson`;
  const bearer = ({ token }: Caller) => ({ authorization: `Bearer ${token}` });
  const readers = {
    ruth: await slowReader(port, path, bearer(ruth)),
    ruthElsewhere: await slowReader(port, path, bearer(ruthElsewhere)),
    key: await slowReader(port, path, { 'x-api-key': key }),
    vera: await slowReader(port, path, bearer(vera)),
  };
  granules.stream = stream;
  return {
    group,
    async finish() {
      // Lets the checks that the event has started finish.
      await setImmediate();
      resolve();
      const isWhole = async (name: keyof typeof readers) =>
        readers[name].readAll().then(
          ({ lines }) => lines === 3000,
          () => false,
        );
      return {
        ruth: await isWhole('ruth'),
        ruthElsewhere: await isWhole('ruthElsewhere'),
        key: await isWhole('key'),
        vera: await isWhole('vera'),
      };
    },
  };
}

async function switchKeys(admin: Caller, apiKey: boolean) {
  const { body } = await admin.get('/configuration/sys/get/info');
  const settings = { ...(body['settings'] as object), apiKey };
  return admin.call('PUT', '/configuration/sys/update/info', { body: { ...body, settings } });
}

const keyCases: Pick<Case, 'event' | 'happens'>[] = [
  {
    event: 'deleting the key',
    async happens({ app, admin, ruthId }) {
      const [key] = await app.store.apiKeys.findBy('userId', ruthId);
      return admin.call('DELETE', `/api/privatekey/del/${key?.id}`);
    },
  },
  {
    event: 'switching API keys off',
    happens: ({ admin }) => switchKeys(admin, false),
  },
];

describe('on the next request', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.app[Symbol.asyncDispose]());

  it.each(cases)(
    '$event ends the affected sessions and keys, aborts their open downloads, and no others',
    async ({ happens, lives }) => {
      const people = await cast(stage);
      const open = await openDownloads(people);
      expect((await happens(people)).status).toBeLessThan(300);
      expect(await open.finish()).toEqual(lives);
      const isAlive = async (caller: Caller) => (await caller.get('/api/kapsule')).status === 200;
      const dataCall = '/api/kapsule/000000000000000000000000/loadscript';
      expect({
        ruth: await isAlive(people.ruth),
        ruthElsewhere: await isAlive(people.ruthElsewhere),
        key: (await stage.app.asNobody.get(dataCall, { 'x-api-key': people.key })).status !== 401,
        vera: await isAlive(people.vera),
      }).toEqual(lives);
      expect(await isAlive(people.admin)).toBe(true);
    },
  );

  it.each(keyCases)('$event ends the open downloads of the key', async ({ happens }) => {
    const people = await cast(stage);
    const open = await openDownloads(people);
    try {
      expect((await happens(people)).status).toBeLessThan(300);
      expect(await open.finish()).toEqual({ ...all, key: false });
    } finally {
      await switchKeys(people.admin, true);
    }
  });

  it('a group that loses the kapsule ends its open downloads', async () => {
    const people = await cast(stage);
    const open = await openDownloads(people);
    expect((await people.admin.call('DELETE', `/api/group/del/${open.group}`)).status).toBe(200);
    expect(await open.finish()).toEqual({ ...all, vera: false });
  });

  it('a lock by wrong passwords ends nothing: no session, no key', async () => {
    const { app, ruth, key, ruthName } = await cast(stage);
    for (let count = 0; count < 6; count++)
      await app.asNobody.post('/auth/login', { username: ruthName, password: 'a guess' });
    expect((await ruth.get('/api/user/list')).status).toBe(200);
    const headers = { 'x-api-key': key };
    expect((await app.asNobody.get('/api/kapsule/x/loadscript', headers)).status).not.toBe(401);
  });

  it('an ADMIN who loses the role while a change is in progress changes nothing', async () => {
    const { app, admin, ruth, ruthId, ruthName } = await cast(stage);
    const groups = Array.from({ length: 10 }, (_, index) =>
      ruth.post('/api/group/create', { groupname: `${index} of ${ruthName}`, authority: ['READ'] }),
    );
    const [demoted, ...answers] = await Promise.all([update(admin, ruthId, { role: 'USER' }), ...groups]);
    expect(demoted.status).toBe(200);
    const entries = await app.store.audit.all();
    const end = entries.findIndex(
      ({ action, targetName }) => action === 'user.update' && targetName === ruthName,
    );
    expect(entries.slice(end + 1).filter(({ actor }) => actor === ruthName)).toEqual([]);
    const stored = (await app.store.groups.all()).filter(({ groupname }) => groupname.endsWith(ruthName));
    expect(stored).toHaveLength(answers.filter(({ status }) => status === 200).length);
  });
});
