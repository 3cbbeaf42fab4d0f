import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  hasOwnMongodb,
  type MongodbServer,
  startOwnMongodb,
} from '../../../../../tools/test-servers/mongodb.ts';
import { type Wire, wireTo } from '../../../../../tools/test-servers/wire.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import type { GranuleInput } from '../../granules.ts';
import { newId } from '../../ids.ts';
import type { Store } from '../../store.ts';
import { patient } from '../../testing/patient.ts';
import { aUser, someGranules } from '../../testing/samples.ts';
import { connect, type MongoOptions } from './connect.ts';
import type { Database } from './database.ts';
import { openMongoStore } from './lazy.ts';

/** The command that removes staged rows. */
const CLEAN_UP = 'delete\0\u000f\0\0\0granule_staged\0';
/** The command that inserts granules. */
const INSERT = 'insert\0\u0009\0\0\0granules\0';
/** The command that renews the lease of an import. */
const RENEW_IMPORT = 'update\0\u0010\0\0\0granule_imports\0';
/** The command that acquires the lease. */
const ACQUIRE = 'findAndModify\0\u0005\0\0\0head\0';
/** A field that only the commit of a unit writes. */
const COMMIT = '\u0002stamp\0';
/** Rows of one batch of an import. */
const BATCH = 1_000;
/** After this time without a renewal a holder stops writing. */
const UNRENEWED_MS = 4_000;
/** After this time without renewals another instance holds the lease. */
const EXPIRED_MS = 9_000;

// A single server, because the driver reaches members of a replica set at their own addresses, past the wire.
describe.runIf(isFullTest && hasOwnMongodb())('writes that reach MongoDB late', () => {
  let server: MongodbServer;
  let options: MongoOptions;
  beforeAll(async () => {
    server = await startOwnMongodb();
  });
  afterAll(() => server?.stop());
  beforeEach(() => {
    options = { ...patient(server.config), database: `kaptain-${newId()}` };
  });

  async function opened(differing: Partial<MongoOptions> = {}): Promise<Store> {
    const store = await openMongoStore({ ...options, ...differing });
    onTestFinished(() => store.close());
    return store;
  }

  async function openedByWire(): Promise<{ store: Store; wire: Wire }> {
    const wire = await wireTo(options.port);
    onTestFinished(() => wire.close());
    return { store: await opened({ host: '127.0.0.1', port: wire.port }), wire };
  }

  async function inside(): Promise<Database> {
    const database = await connect(options);
    onTestFinished(() => database.close());
    return database;
  }

  const importAll = (store: Store, rows: Iterable<GranuleInput> | AsyncIterable<GranuleInput>) =>
    store.granules.importAll('k', rows, async () => undefined);
  const commentOf = async (store: Store, key: string) =>
    (await store.granules.lookup('k', [key]))[0]?.data['comment'];
  const granule = (key: string, comment: string): GranuleInput => ({ key, user: 'u', data: { comment } });

  it('keep the rows of an import while the clean-up of the one before is under way', async () => {
    const { store, wire } = await openedByWire();
    const { staged } = await inside();
    await store.granules.bulkUpsert('k', someGranules(BATCH));
    const release = wire.holdRequest(CLEAN_UP);
    await importAll(store, [granule('key-0', 'first')]);
    async function* rows() {
      for (let n = 0; n < BATCH; n += 1) yield granule(`key-${n}`, 'second');
      await vi.waitFor(async () => expect(await staged.countDocuments()).toBe(BATCH), 10_000);
      release();
      // Until the clean-up has been done.
      await setTimeout(300);
    }
    await importAll(store, rows());
    expect(await Promise.all(['key-0', 'key-999'].map((key) => commentOf(store, key)))).toEqual([
      'second',
      'second',
    ]);
  });

  it('leave out what an import has left behind whose process ended before its clean-up', async () => {
    const { store, wire } = await openedByWire();
    const { staged } = await inside();
    await store.granules.bulkUpsert('k', someGranules(2));
    wire.holdRequest(CLEAN_UP);
    await importAll(store, [granule('key-0', 'imported')]);
    await vi.waitFor(async () => expect(await staged.countDocuments()).toBe(1));
    await store.granules.upsert('k', [granule('key-0', 'edited')]);
    await importAll(store, [granule('key-1', 'imported')]);
    expect(await commentOf(store, 'key-0')).toBe('edited');
    expect(await commentOf(store, 'key-1')).toBe('imported');
  });

  it('succeed when the lease was renewed meanwhile', async () => {
    const { store, wire } = await openedByWire();
    const { id } = await store.users.insert(aUser('ann'));
    const release = wire.holdRequest(COMMIT);
    const late = store.users.patch(id, { qlikId: 'late' });
    await setTimeout(UNRENEWED_MS);
    release();
    expect(await late).toMatchObject({ qlikId: 'late', version: 2 });
  });

  it('do not undo those of the instance that has taken the lease over', async () => {
    const [{ store: slow, wire }, store] = [await openedByWire(), await opened()];
    const { id } = await store.users.insert(aUser('ann'));
    // The answer to the commit comes late, as for a process that was suspended.
    const release = wire.holdAnswersAfter(COMMIT);
    const late = slow.users.patch(id, { qlikId: 'late' }).catch((error: Error) => error.message);
    await setTimeout(EXPIRED_MS);
    await store.users.patch(id, { role: 'ADMIN' });
    release();
    expect(await late).toContain('out of reach');
    await setTimeout(500);
    expect(await store.users.get(id)).toMatchObject({ qlikId: 'late', role: 'ADMIN', version: 3 });
  });

  it('do not apply a journal that another instance has applied since', async () => {
    const [{ store: slow, wire }, store, database] = [await openedByWire(), await opened(), await inside()];
    const { id } = await store.users.insert(aUser('ann'));
    const { id: other } = await store.users.insert(aUser('bob'));
    // The journal of an instance that ended after its commit.
    const journal = [{ in: 'users', id, doc: await database.noun('users').findOne({ _id: id }) }];
    const release = wire.holdAnswersAfter(ACQUIRE);
    await database.head.updateOne({ _id: 'head' }, { $inc: { mark: 1 }, $set: { journal } });
    const late = slow.users.patch(other, { qlikId: 'late' }).catch((error: Error) => error.message);
    await setTimeout(EXPIRED_MS);
    await store.users.patch(id, { role: 'ADMIN' });
    release();
    await late;
    await setTimeout(500);
    expect(await store.users.get(id)).toMatchObject({ role: 'ADMIN', version: 2 });
  });

  it('stage no rows of an import that another one has replaced', { timeout: 60_000 }, async () => {
    const [{ store: slow, wire }, store, database] = [await openedByWire(), await opened(), await inside()];
    await store.granules.bulkUpsert('k', someGranules(1));
    const release = wire.holdAnswersAfter(INSERT);
    const late = importAll(slow, [granule('new', 'late'), granule('key-0', 'late')]).catch(
      (error: Error) => error.message,
    );
    await vi.waitFor(
      async () => expect(await database.states.countDocuments({ key: 'new' })).toBe(1),
      10_000,
    );
    const renew = wire.holdRequest(RENEW_IMPORT);
    async function* rows() {
      release();
      renew();
      await late;
      yield granule('other', 'imported');
    }
    await importAll(store, rows());
    expect(await commentOf(store, 'key-0')).not.toBe('late');
    expect(await commentOf(store, 'new')).toBeUndefined();
    expect(await late).toContain('out of reach');
  });
});
