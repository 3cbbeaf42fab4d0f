import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { postgresqlBlock } from '../../../tools/test-servers/blocks.ts';
import { hasMongodb, startMongodb } from '../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../tools/test-size.ts';
import { databaseOf } from './base/database/open-store.ts';
import { Authenticator } from './testing/authenticator.ts';
import { PASSKEYS } from './testing/passkeys.ts';
import { type Instance, onServer, postAs, serviceHere, serviceOn } from './testing/service-on.ts';
import { signInContract } from './testing/sign-in.contract.ts';

const PASSWORD = 'correct horse battery';
const PEPPER = 'the same secret on all instances';
const admin = { username: 'admin', password: PASSWORD };
const vera = { username: 'vera', password: PASSWORD };

const databases = [
  {
    name: 'PostgreSQL',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      // Another database than the one with the service's own data.
      const postgresql = { ...postgresqlBlock(server), POSTGRE_DATABASE: 'template1' };
      return { env: onServer('postgres', server.config), source: { postgresql }, stop: () => server.stop() };
    },
  },
  {
    name: 'MongoDB',
    isHere: isFullTest && hasMongodb(),
    async start() {
      const server = await startMongodb();
      const config = { ...server.config, database: `instances_${process.pid}` };
      return { env: onServer('mongodb', config), source: {}, stop: () => server.stop() };
    },
  },
];

describe.each(databases.filter(({ isHere }) => isHere))(
  'two instances of the service on one $name',
  (database) => {
    let server: Awaited<ReturnType<typeof database.start>>;
    let a: Instance;
    let b: Instance;
    let token: string;

    beforeAll(async () => {
      server = await database.start();
      const settingsFile = { settings: { apiKey: true }, ...server.source };
      const start = () =>
        isFullTest
          ? serviceOn({ ...server.env, KAPTAIN_PEPPER: PEPPER }, settingsFile)
          : serviceHere({ database: databaseOf({}, server.env), pepper: PEPPER, settingsFile });
      a = await start();
      b = await start();
    });
    afterAll(async () => {
      // Also when only one of them was started.
      await Promise.all([a, b].map((service) => service?.[Symbol.asyncDispose]()));
      await server?.stop();
    });

    const logIn = async (at: Instance, account: object) =>
      (await at.call('POST', '/auth/login', { body: account })).body.accessToken;

    const createVera = (at: Instance) =>
      at.call('POST', '/api/user/create', {
        token,
        body: { ...vera, role: 'USER', qlikId: 'CORP\\vera', isCreate: true, groups: [] },
      });

    async function aKey(at: Instance): Promise<{ key: string; id: string }> {
      const { body: made } = await at.call('GET', '/api/privatekey/get', { token });
      const body = { name: `key of ${at.url}`, apikey: made['apikey'] };
      const created = await at.call('POST', '/api/privatekey/create', { token, body });
      return { key: String(made['apikey']), id: created.body._id };
    }

    it('have one winner when parallel calls create the first admin', async () => {
      const tries = [a, b, a, b, a, b].map((at) => at.call('POST', '/api/user/init', { body: admin }));
      const words = (await Promise.all(tries)).map(({ body }) => body.status);
      expect(words.toSorted()).toEqual([...Array.from({ length: 5 }, () => 'adminExist'), 'initialized']);
      token = await logIn(a, admin);
      const { body } = await b.call('GET', '/api/user/list', { token });
      expect(body['data']).toHaveLength(1);
    });

    it('share sessions: one begins on one instance, is valid on the other, and ends on both', async () => {
      const other = await logIn(b, admin);
      expect((await a.call('GET', '/api/kapsule', { token: other })).status).toBe(200);
      await a.call('POST', '/auth/logout', { token: other });
      expect((await b.call('GET', '/api/kapsule', { token: other })).status).toBe(401);
    });

    it('end the sessions of a user who is deleted elsewhere', async () => {
      const created = await createVera(a);
      const session = await logIn(b, vera);
      expect((await b.call('GET', '/api/kapsule', { token: session })).status).toBe(200);
      await a.call('DELETE', `/api/user/${String(created.body['userId'])}`, { token });
      expect((await b.call('GET', '/api/kapsule', { token: session })).status).toBe(401);
    });

    it('share the counter of failed logins', async () => {
      await createVera(b);
      for (const at of [a, b, a, b, a]) await logIn(at, { ...vera, password: 'wrong password' });
      for (const at of [a, b]) {
        expect((await at.call('POST', '/auth/login', { body: vera })).status).toBe(401);
      }
      const { body } = await b.call('GET', '/api/user/list', { token });
      expect(body['data']).toContainEqual(expect.objectContaining({ username: 'vera', isLocked: true }));
    });

    it('accept an API key of the other instance until it is deleted, and notify each other of changes', async () => {
      const { key, id } = await aKey(a);
      const structure = { name: 'shared', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
      const granules = [{ key: '1', data: { comment: 'seen elsewhere' } }];
      const places = Object.keys(server.source).map((database) => ({
        database,
        name: `shared in ${database}`,
        tableName: 'shared',
      }));
      let kapsule = '';
      for (const place of [...places, {}]) {
        const body = { ...structure, ...place };
        const made = await b.call('POST', '/api/kapsule', { key, body });
        expect(made.body).toMatchObject({ _id: expect.any(String) });
        kapsule = made.body._id;
        const watching = new AbortController();
        const events = await fetch(`${b.url}/api/kapsule/${kapsule}/events`, {
          headers: { authorization: `Bearer ${token}` },
          signal: watching.signal,
        });
        const written = await a.call('PUT', `/api/kapsule/${kapsule}/granules`, { key, body: { granules } });
        expect(written.body).toMatchObject({ upserted: 1 });
        let heard = '';
        for await (const chunk of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          heard += chunk;
          if (heard.includes('"total":1')) break;
        }
        watching.abort();
        expect(heard).toContain('"total":1');
      }
      await b.call('DELETE', `/api/privatekey/del/${id}`, { token });
      expect(
        (await a.call('PUT', `/api/kapsule/${kapsule}/granules`, { key, body: { granules } })).status,
      ).toBe(401);
    });

    it('answer with the latest change of the other instance, not from their cache', async () => {
      const { key } = await aKey(a);
      const structure = { name: 'kept', keyField: 'id', fields: [{ name: 'comment', type: 'text' }] };
      const id = (await a.call('POST', '/api/kapsule', { key, body: structure })).body._id;
      const nora = { ...vera, username: 'nora' };
      const user = { ...nora, role: 'USER', qlikId: 'CORP\\nora', isCreate: true, groups: [] };
      const userId = String((await a.call('POST', '/api/user/create', { token, body: user })).body['userId']);
      const session = await logIn(b, nora);
      const seen = async () => {
        const { status, body } = await b.call('GET', `/api/kapsule/${id}`, { token: session });
        const { list } = await b.call('GET', '/api/kapsule', { token: session });
        expect(list).toEqual(status === 200 ? [body] : []);
        return [status, body['authority'], body['granules']];
      };
      // Parallel requests, so that there are always queries in flight that could be shared too late.
      const busy = new AbortController();
      const others = [1, 2].map(async () => {
        while (!busy.signal.aborted) await b.call('GET', `/api/kapsule/${id}`, { token: session });
      });
      onTestFinished(async () => {
        busy.abort();
        await Promise.all(others);
      });
      for (const round of [1, 2]) {
        expect(await seen()).toEqual([404, undefined, undefined]);
        const form = {
          groupname: `readers ${round}`,
          authority: ['READ'],
          users: [{ userid: userId }],
          kapsules: [{ kapsulecode: id }],
        };
        const group = (await a.call('POST', '/api/group/create', { token, body: form })).body;
        expect(await seen()).toEqual([200, ['READ'], { total: round - 1, notReloaded: round - 1 }]);
        const granules = [{ key: `row ${round}`, data: { comment: 'new' } }];
        await a.call('PUT', `/api/kapsule/${id}/granules`, { key, body: { granules } });
        expect(await seen()).toEqual([200, ['READ'], { total: round, notReloaded: round }]);
        const change = { ...form, groupId: group._id, authority: ['READ', 'DELETE'], version: 1 };
        const path = `/api/group/update/${group._id}`;
        expect((await a.call('PUT', path, { token, body: change })).status).toBe(200);
        expect(await seen()).toEqual([200, ['READ', 'DELETE'], { total: round, notReloaded: round }]);
        expect((await b.call('PUT', path, { token, body: change })).status).toBe(412);
        await a.call('DELETE', `/api/group/del/${group._id}`, { token });
      }
      expect(await seen()).toEqual([404, undefined, undefined]);
      const { password: _, ...kept } = user;
      await a.call('PUT', '/api/user/update', { token, body: { ...kept, userId, role: 'ADMIN' } });
      expect((await b.call('GET', `/api/kapsule/${id}`, { token: session })).status).toBe(401);
    });

    it('accept a passkey for a challenge of the other instance, once', async () => {
      const account = { ...vera, username: 'paula' };
      const user = { ...account, role: 'USER', qlikId: 'CORP\\paula', isCreate: false, groups: [] };
      await a.call('POST', '/api/user/create', { token, body: user });
      const session = await logIn(a, account);
      const phone = new Authenticator();
      const begun = await a.call('POST', PASSKEYS, { token: session });
      const passkey = phone.create(begun.body as never, { origin: b.url });
      const body = { name: 'Phone', passkey };
      expect((await b.call('POST', `${PASSKEYS}/confirm`, { token: session, body })).status).toBe(200);

      const refused = await b.call('POST', '/auth/login', { body: account });
      const { challenge } = refused.body['details'] as { challenge: string };
      const asked = await a.call('POST', '/auth/second-factor/passkey', { body: { challenge } });
      const proof = phone.prove(asked.body as never, { origin: b.url });
      // Both instances have the name of the second one, as behind a load balancer.
      const statuses = await Promise.all(
        [a, b, a, b].map((at) =>
          postAs(new URL(b.url).host, at.url, '/auth/second-factor', { challenge, passkey: proof }),
        ),
      );
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    });

    it('accept a download ticket of the other instance, once', async () => {
      const [kapsule] = (await a.call('GET', '/api/kapsule', { token })).list;
      const path = `/api/kapsule/export/kapsule?kapsuleId=${String(kapsule?.['_id'])}`;
      const { body } = await a.call('POST', '/api/download/ticket', { token, body: { path } });
      expect((await b.call('GET', String(body['url']))).status).toBe(200);
      expect((await a.call('GET', String(body['url']))).status).not.toBe(200);
    });

    signInContract(() => ({ database: databaseOf({}, server.env), pepper: PEPPER }));
  },
);
