import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AnyMongodb, mongodbKinds } from '../../../../../tools/test-servers/mongodb-kinds.ts';
import { freePort } from '../../../../../tools/test-servers/server-process.ts';
import { wireTo } from '../../../../../tools/test-servers/wire.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { UnavailableError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { users } from '../../nouns/users.ts';
import type { Store } from '../../store.ts';
import { linesIn } from '../../testing/lines.ts';
import { anAuditEntry, aUser, someGranules } from '../../testing/samples.ts';
import { connect, type MongoOptions } from './connect.ts';
import type { Database } from './database.ts';
import { openMongoStore } from './lazy.ts';
import { FOR_EVER, toShape } from './shapes.ts';

const PROMISE = /^(audit|import) .+\n/m;
const ROUNDS = 20;
const CHILD = fileURLToPath(new URL('./testing/child.ts', import.meta.url));

describe.runIf(isFullTest).each(mongodbKinds())('$name after a failure', ({ start }) => {
  let server: AnyMongodb;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());

  const newOptions = (): MongoOptions => ({ ...server.config, database: `kaptain-${newId()}` });

  async function opened(options: MongoOptions): Promise<Store> {
    const store = await openMongoStore(options);
    onTestFinished(() => store.close());
    return store;
  }

  /** Looks past the store. */
  async function inside<T>(options: MongoOptions, look: (database: Database) => Promise<T>): Promise<T> {
    const database = await connect(options);
    try {
      return await look(database);
    } finally {
      await database.close();
    }
  }

  const isReplicaSet = (options: MongoOptions) => inside(options, async (database) => database.isReplicaSet);

  it('carries out the journal of an instance that died after its commit', async () => {
    const options = newOptions();
    await (await openMongoStore(options)).close();
    const user = { ...aUser('late'), id: newId(), version: 1 };
    const journal = [{ in: 'users', id: user.id, doc: toShape(users, user, JSON.stringify(user)) }];
    await inside(options, (database) =>
      database.head.updateOne({ _id: 'head' }, { $set: { holder: 'dead/1', journal }, $inc: { mark: 1 } }),
    );
    const store = await opened(options);
    expect(await store.users.findBy('nameKey', 'late')).toEqual([user]);
    await expect(store.users.insert(aUser('Late'))).rejects.toThrow('exists already');
  });

  it('takes back what an instance had written ahead when it died before its commit', async () => {
    const options = newOptions();
    const before = await openMongoStore(options);
    const [kept] = await before.granules.upsert('k', [{ key: 'A', user: 'u', data: { n: 1 } }]);
    await before.close();
    await inside(options, async ({ head, states }) => {
      const state = await states.findOne({ key: 'A' });
      if (!state) throw new Error('There is no state.');
      const { current = '', ...rest } = state;
      const touching = [rest.k];
      await head.updateOne({ _id: 'head' }, { $set: { holder: 'dead/1', touching } });
      await states.updateOne({ key: 'A' }, { $set: { to: 2 }, $unset: { current: '' } });
      await states.insertOne({
        ...rest,
        _id: newId(),
        version: 2,
        change: 2,
        from: 2,
        to: FOR_EVER,
        current,
      });
    });
    const store = await opened(options);
    expect(await store.granules.history(kept?.id ?? '')).toHaveLength(1);
    expect(await store.granules.upsert('k', [{ key: 'A', user: 'u', data: { n: 2 }, version: 1 }])).toEqual([
      { ...kept, version: 2 },
    ]);
    expect(await store.granules.counts('k')).toMatchObject({ total: 1 });
  });

  it('aborts the transaction of an instance that died in the middle of it', async ({ skip }) => {
    const options = newOptions();
    skip(!(await isReplicaSet(options)), 'A single server has no transactions.');
    const store = await opened(options);
    const { id } = await store.users.insert(aUser('changed'));
    const dead = await connect(options);
    onTestFinished(() => dead.close());
    const session = dead.client.startSession();
    if (!session.id) throw new Error('The session has no id.');
    const lease = { holder: 'dead/1', session: session.id.id };
    await dead.head.updateOne({ _id: 'head' }, { $set: lease, $inc: { beat: 1 } });
    session.startTransaction();
    await dead.noun('users').updateOne({ _id: id }, { $set: { doc: 'half' } }, { session });
    await dead.head.updateOne({ _id: 'head' }, { $inc: { beat: 1 } }, { session });
    const began = performance.now();
    await store.users.patch(id, { role: 'ADMIN' });
    // The server itself keeps such a transaction open for a minute.
    expect(performance.now() - began).toBeLessThan(30_000);
    await expect(session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    expect(await store.users.get(id)).toMatchObject({ role: 'ADMIN', version: 2 });
  });

  it('stores a unit that is larger than any document may be, and leaves no journal behind', async () => {
    const options = newOptions();
    const store = await opened(options);
    await store.transaction(async (unit) => {
      for (let n = 0; n < 20; n += 1) {
        await unit.audit.insert(anAuditEntry('large', { after: { text: 'x'.repeat(1_000_000) } }));
      }
    });
    expect(await store.audit.findBy('action', 'large')).toHaveLength(20);
    expect(await inside(options, ({ journal }) => journal.countDocuments())).toBe(0);
  });

  it(`loses nothing it has acknowledged, and shows no half, when it is killed ${ROUNDS} times`, async () => {
    const options = newOptions();
    const promised: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      promised.push(...(await killedWhileWriting(options)));
      const store = await openMongoStore(options);
      const entries = await store.audit.findBy('action', 'increment');
      const imports = (await store.audit.findBy('action', 'import')).map(({ target }) => target);
      const [counter] = await store.users.findBy('nameKey', 'counter');
      const stored = new Set([
        ...entries.map(({ id }) => `audit ${id}`),
        ...imports.map((name) => `import ${name}`),
      ]);
      expect(promised.filter((line) => !stored.has(line))).toEqual([]);
      expect(counter?.loginAttempts).toBe(entries.length);
      expect((await store.granules.counts('kapsule')).total).toBe(
        entries.length > 0 ? entries.length * 20 + 1 : 0,
      );
      expect(await totals(store, 'imported')).toEqual([imports.length * 500, imports.length * 500]);
      expect((await totals(store, 'kapsule'))[0]).toBe((await totals(store, 'kapsule'))[1]);
      await store.close();
    }
    expect(promised.length).toBeGreaterThan(0);
  });

  /** The counters, and the granules that are there. */
  async function totals(store: Store, kapsule: string): Promise<[number, number]> {
    let lines = 0;
    for await (const chunk of store.granules.stream(kapsule, {})) lines += linesIn(chunk).length;
    return [(await store.granules.counts(kapsule)).total, lines];
  }

  async function killedWhileWriting(options: MongoOptions): Promise<string[]> {
    const child = spawn(process.execPath, [CHILD, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      // Counted from the first promise, which comes late on a busy machine.
      if (!PROMISE.test(text) && PROMISE.test(text + chunk))
        globalThis.setTimeout(() => child.kill('SIGKILL'), Math.random() * 400);
      text += chunk;
    });
    // It must not end by itself, as it does when a write fails.
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
    return text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== 'open');
  }

  it('serves several instances at once: no increment of any of them is lost', async () => {
    const options = newOptions();
    const stores = [await opened(options), await opened(options), await opened(options)];
    const { id } = (await stores[0]?.users.insert(aUser('counter'))) ?? { id: '' };
    const increments = stores.flatMap((store) =>
      Array.from({ length: 30 }, () =>
        store.transaction(async (unit) => {
          const user = await unit.users.get(id);
          await unit.users.patch(id, { loginAttempts: (user?.loginAttempts ?? 0) + 1 });
          await unit.audit.insert(anAuditEntry('increment'));
        }),
      ),
    );
    await Promise.all(increments);
    for (const store of stores) expect(await store.users.get(id)).toMatchObject({ loginAttempts: 90 });
    expect(await stores[1]?.audit.findBy('action', 'increment')).toHaveLength(90);
  });

  const PAST_THE_WIRE =
    'The members of a replica set are reached by the addresses that they tell, past the wire.';

  it('says so while the server is out of reach, and goes on by itself when it is back', async ({ skip }) => {
    const options = newOptions();
    skip(await isReplicaSet(options), PAST_THE_WIRE);
    const wire = await wireTo(options.port);
    onTestFinished(() => wire.close());
    const store = await opened({ ...options, host: '127.0.0.1', port: wire.port });
    const kept = await store.users.insert(aUser('kept'));
    wire.cut();
    const calls = [
      store.ping(),
      store.users.all(),
      store.users.insert(aUser('lost')),
      store.granules.counts('k'),
    ];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
    }
    wire.mend();
    await vi.waitFor(() => store.ping(), { interval: 50 });
    await store.granules.bulkUpsert('k', someGranules(3));
    expect(await store.users.all()).toEqual([kept]);
    await expect(openMongoStore({ ...options, port: await freePort() })).rejects.toThrow(UnavailableError);
  });

  it('lets reads wait for the recovery of a unit that was applied in part, and spares them its error', async ({
    skip,
  }) => {
    const options = newOptions();
    skip(await isReplicaSet(options), 'A replica set applies a unit in one transaction.');
    const store = await opened(options);
    const twin = { ...aUser('twin'), id: newId(), version: 1 };
    const putTwin = (database: Database) =>
      database.noun('users').insertOne(toShape(users, twin, JSON.stringify(twin)));
    const read = async () => (await store.users.all()).map(({ username }) => username);
    const seen: unknown[] = [];
    const state = { isDone: false };
    const reading = Array.from({ length: 8 }, async () => {
      for (; !state.isDone; await setTimeout(1)) await read().catch((error: unknown) => seen.push(error));
    });
    const written = store.transaction(async (unit) => {
      await unit.users.insert(aUser('Twin'));
      for (let n = 0; n < 200; n += 1) await unit.audit.insert(anAuditEntry('half'));
      // Past the store, so that the commit succeeds and applying it fails.
      await inside(options, putTwin);
    });
    await expect(written).rejects.toThrow('E11000');
    await expect(read()).rejects.toThrow(UnavailableError);
    state.isDone = true;
    await Promise.all(reading);
    expect(seen.filter((error) => !(error instanceof UnavailableError))).toEqual([]);
    await inside(options, (database) => database.noun('users').deleteOne({ _id: twin.id }));
    await vi.waitFor(async () => expect(await read()).toEqual(['Twin']), { interval: 50 });
    expect(await store.audit.findBy('action', 'half')).toHaveLength(200);
  });

  it('answers other calls while more slow searches run than it has connections', async ({ skip }) => {
    const options = newOptions();
    skip(await isReplicaSet(options), PAST_THE_WIRE);
    const wire = await wireTo(options.port);
    onTestFinished(() => wire.close());
    const store = await opened({ ...options, host: '127.0.0.1', port: wire.port });
    await store.granules.bulkUpsert('k', someGranules(3));
    wire.holdAnswersTo('slowly');
    const query = { q: 'slowly', sort: 'key', descending: false, offset: 0, limit: 10 } as const;
    let failed = 0;
    const searches = Array.from({ length: 30 }, () =>
      store.granules.page('k', query).catch(() => (failed += 1)),
    );
    // Longer than a silent database is waited for.
    for (let n = 0; n < 20; n += 1) {
      await setTimeout(100);
      await store.users.all();
    }
    expect(failed).toBe(0);
    wire.cut();
    await Promise.all(searches);
    expect(failed).toBe(30);
  });

  it('has another mark for another unit, also when a failover has taken the one before it back', async () => {
    const options = newOptions();
    const store = await opened(options);
    const marks: string[] = [];
    for (const name of ['lost', 'kept']) {
      const before = await inside(options, ({ head }) => head.findOne({ _id: 'head' }));
      const { mark = 0, applied = 0, stamp = '' } = before ?? {};
      await store.users.insert(aUser(name));
      marks.push(await store.changeMark());
      if (name === 'lost')
        await inside(options, ({ head }) =>
          head.updateOne({ _id: 'head' }, { $set: { mark, applied, stamp } }),
        );
    }
    expect(new Set(marks).size).toBe(2);
  });
});
