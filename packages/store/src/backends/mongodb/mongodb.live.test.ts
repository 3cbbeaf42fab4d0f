import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyMongodb, mongodbKinds } from '../../../../../tools/test-servers/mongodb-kinds.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { GranuleConflictError, UnavailableError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { linesOf } from '../../testing/lines.ts';
import { patient } from '../../testing/patient.ts';
import { releasedContract } from '../../testing/released.contract.ts';
import { anAuditEntry, aUser, someGranules } from '../../testing/samples.ts';
import { storeContract } from '../../testing/store.contract.ts';
import { transferContract } from '../../testing/transfer.contract.ts';
import { upgradeContract } from '../../testing/upgrade.contract.ts';
import { connect, type MongoOptions } from './connect.ts';
import { Instances } from './instances.ts';
import { openMongoStore, openMongoTransfer } from './lazy.ts';
import { restoreDump, upgradeSteps } from './testing/upgrade-steps.ts';
import { upgrade } from './upgrades/migrations.ts';
import { steps } from './upgrades/steps.ts';

/** A reader meets the moment between the two writes of one of them. */
const DELETIONS = 200;

describe.each(mongodbKinds())('on $name', ({ start }) => {
  let server: AnyMongodb;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());

  const newOptions = () => ({ ...patient(server.config), database: `kaptain-${newId()}` });
  const discard = async (options: MongoOptions) => {
    const database = await connect(options);
    await database.db.dropDatabase();
    await database.close();
  };

  it('opens, stores documents, saves and imports granules, finds them, and has them again after it was closed', async () => {
    const options = newOptions();
    const store = await openMongoStore(options);
    const ann = await store.users.insert(aUser('ann'));
    await expect(store.users.insert(aUser('Ann'))).rejects.toThrow('exists already');
    await store.transaction((nouns) => nouns.users.patch(ann.id, { role: 'ADMIN' }));
    const save = (comment: string, version: number) =>
      store.save({
        kapsuleId: 'k',
        rows: [{ key: 'saved', user: 'ann', data: { comment }, version }],
        dependsOn: [{ noun: 'users', id: ann.id, version: 2 }],
        entry: anAuditEntry('granule.upsert'),
      });
    await save('first', 0);
    await save('Überraschung', 1);
    await expect(save('stale', 1)).rejects.toThrow(GranuleConflictError);
    const imported = [...someGranules(5), { key: 'saved', user: 'bob', data: { comment: 'Überraschung' } }];
    await store.granules.importAll('k', imported, async (nouns) => {
      await nouns.audit.insert(anAuditEntry('import'));
    });
    await store.close();

    const again = await openMongoStore(options);
    expect(await again.users.findBy('role', 'ADMIN')).toEqual([{ ...ann, role: 'ADMIN', version: 2 }]);
    const entries = (await again.audit.all()).map(({ action }) => action);
    expect(entries).toEqual(['granule.upsert', 'granule.upsert', 'import']);
    const page = { sort: 'key', descending: false, offset: 0, limit: 10, q: 'ÜBERRASCHUNG' } as const;
    const { rows } = await again.granules.page('k', page);
    expect(rows).toMatchObject([{ key: 'saved', user: 'bob', version: 3 }]);
    expect(await again.granules.history(rows[0]?.id ?? '')).toHaveLength(3);
    expect(await again.granules.counts('k')).toMatchObject({ total: 6 });
    expect(await linesOf(again.granules.stream('k', {}))).toHaveLength(6);
    await again.close();
    await discard(options);
  });

  releasedContract('mongodb', async (dump) => {
    const options = newOptions();
    await restoreDump(await connect(options), dump);
    return () => openMongoStore(options);
  });

  it('tells a reader that follows the changes of every deletion that it numbers meanwhile', async () => {
    const options = newOptions();
    const store = await openMongoStore(options);
    const keys = Array.from({ length: DELETIONS }, (_, n) => `key-${n}`);
    const rows = keys.map((key) => ({ key, user: 'ann', data: {} }));
    const stored = await store.granules.upsert('k', rows);
    const ids = stored.map(({ id }) => id);
    await store.granules.removeMany(ids, 'Bob');
    const database = await connect(options);
    // As an earlier version copied them from another database.
    await database.states.updateMany({ dead: true }, [{ $set: { from: '$change' } }]);
    const told = new Set<string>();
    let since = await store.granules.watermark('k');
    const read = async () => {
      const next = await store.granules.watermark('k');
      for (const line of await linesOf(store.granules.stream('k', { since, deletions: true })))
        told.add((JSON.parse(line) as { key: string }).key);
      since = next;
    };
    const state = { isNumbered: false };
    const numbering = steps[2]?.work(database).finally(() => {
      state.isNumbered = true;
    });
    while (!state.isNumbered) await read();
    await numbering;
    await read();
    expect([...told].toSorted()).toEqual(keys.toSorted());
    // A killed attempt has given a number that was not counted.
    await database.counters.updateOne({ _id: 'k' }, { $inc: { lastChange: -1 } });
    await steps[2]?.work(database);
    expect(await store.granules.deletedSince('k', 0)).toBe(keys.length);
    expect(await store.granules.watermark('k')).toBe(since);
    await database.close();
    await store.close();
    await discard(options);
  });

  // The whole contract takes several times as long as on the other databases, and runs on both kinds of servers.
  if (!isFullTest) return;

  it('says in one sentence that it can not be opened, also on a server without accounts', async () => {
    const wrong = [
      { user: 'nobody', password: 'canary' },
      { user: '', password: '', database: 'a.b' },
    ];
    for (const change of wrong) {
      const failure: unknown = await openMongoStore({ ...newOptions(), ...change }).catch((error) => error);
      expect(failure).toBeInstanceOf(UnavailableError);
      expect((failure as Error).message).toMatch(/^The database [^\n]+; check [^\n]+\.$/);
      expect((failure as Error).message).not.toContain('canary');
    }
  });

  const newDatabase = async () => {
    const options = newOptions();
    const fieldIndexes = async () => {
      const database = await connect(options);
      const lastChanges = new Map<string, number>();
      for (const { k, lastChange } of await database.counters.find().toArray())
        lastChanges.set(k, lastChange);
      const indexes = await database.fieldIndexes.find().toArray();
      await database.close();
      const behind = indexes.filter(({ k, through }) => through < (lastChanges.get(k) ?? 0));
      return { indexes: indexes.length, behind: behind.length };
    };
    return { open: () => openMongoStore(options), fieldIndexes, discard: () => discard(options) };
  };
  storeContract('MongoDB', newDatabase);

  it('refuses to write after a newer version has put another form in force', async () => {
    const options = newOptions();
    const store = await openMongoStore(options);
    const database = await connect(options);
    await upgradeSteps(database).makeNewer('form');
    await database.head.updateOne({ _id: 'head' }, { $inc: { schema: 1 } });
    await expect(store.users.insert(aUser('ann'))).rejects.toThrow(/newer version of the service; install/);
    expect(await store.users.all()).toEqual([]);
    await database.close();
    await store.close();
    await discard(options);
  });

  it('does a step when no other version is there, and earlier versions refuse the result', async () => {
    const options = newOptions();
    const store = await openMongoStore(options);
    const database = await connect(options);
    const known = [...steps, { work: async () => void (await database.any('made').insertOne({ _id: 'x' })) }];
    const newer = () => upgrade(database, new Instances(database, known.length), known);
    await expect(newer()).rejects.toThrow('Another version of the service uses the same database, and');
    await store.close();
    await newer();
    expect(await database.any('made').countDocuments()).toBe(1);
    await database.close();
    await expect(openMongoStore(options)).rejects.toThrow('was written by a newer version');
    await discard(options);
  });

  upgradeContract('MongoDB', async () => {
    const options = newOptions();
    const database = await connect(options);
    const stop = async () => {
      await database.close();
      await discard(options);
    };
    return { ...upgradeSteps(database), open: () => openMongoStore(options), discard: stop };
  });
  const newTransferDatabase = async () => {
    const options = newOptions();
    return { open: () => openMongoTransfer(options), discard: () => discard(options) };
  };
  transferContract('MongoDB', newTransferDatabase);
});
