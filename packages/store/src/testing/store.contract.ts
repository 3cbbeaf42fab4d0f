import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnavailableError } from '../errors.ts';
import { newId } from '../ids.ts';
import { nounNames } from '../nouns/all.ts';
import type { Store } from '../store.ts';
import { documentsContract } from './documents.contract.ts';
import { granuleChangesContract } from './granule-changes.contract.ts';
import { granuleDecisionsContract } from './granule-decisions.contract.ts';
import { granuleDeletionsContract } from './granule-deletions.contract.ts';
import { granuleFieldIndexContract } from './granule-field-index.contract.ts';
import { granuleFieldsContract } from './granule-fields.contract.ts';
import { granuleImportsContract } from './granule-imports.contract.ts';
import { granuleLifeContract } from './granule-life.contract.ts';
import { granuleLookupsContract } from './granule-lookups.contract.ts';
import { granuleModelContract } from './granule-model.contract.ts';
import { granulePagesContract } from './granule-pages.contract.ts';
import { granuleSearchContract } from './granule-search.contract.ts';
import { granuleSizesContract } from './granule-sizes.contract.ts';
import { granuleStreamsContract } from './granule-streams.contract.ts';
import { granuleWritesContract } from './granule-writes.contract.ts';
import { granulesContract } from './granules.contract.ts';
import { recentContract } from './recent.contract.ts';
import { aUser, someGranules } from './samples.ts';
import { saveContract } from './save.contract.ts';
import type { TestDatabase } from './test-database.ts';
import { trailContract } from './trail.contract.ts';
import { unitsContract } from './units.contract.ts';
import { valuesContract } from './values.contract.ts';
import { visibleKapsulesContract } from './visible-kapsules.contract.ts';

/** `second` is another instance on the same database, which stays open. */
type Contract = (store: () => Store, second: () => Promise<Store>, database: () => TestDatabase) => void;

/** Their tests have kapsules of their own, and leave alone what others have stored. */
const withOwnKapsules: Contract[] = [
  granuleWritesContract,
  granuleDecisionsContract,
  granuleLifeContract,
  granuleDeletionsContract,
  granulePagesContract,
  granuleFieldsContract,
  granuleFieldIndexContract,
  granuleLookupsContract,
  granuleSizesContract,
  granuleSearchContract,
  granulesContract,
  granuleStreamsContract,
  granuleImportsContract,
  granuleModelContract,
  saveContract,
];

/** Their tests need a store without documents. */
const withoutDocuments: Contract[] = [
  documentsContract,
  recentContract,
  valuesContract,
  unitsContract,
  visibleKapsulesContract,
  trailContract,
];

/** Every promise of the store; each backend keeps them all. */
export function storeContract(backend: string, newDatabase: () => Promise<TestDatabase>): void {
  describe(`the ${backend} store`, () => {
    inOneStore(newDatabase, (...shared) => {
      describe('without documents', () => {
        afterEach(() => removeDocuments(shared[0]()));
        for (const contract of withoutDocuments) contract(...shared);
      });
      for (const contract of withOwnKapsules) contract(...shared);
    });
    // A listener may be told of all that has changed in the last seconds.
    inOneStore(newDatabase, granuleChangesContract);
    describe('new for each test', () => {
      promisesOfANewStore(newDatabase);
    });
  });
}

/** Opening a store for each test, with connections that plan each statement anew, would take longer than most tests. */
function inOneStore(newDatabase: () => Promise<TestDatabase>, contract: Contract): void {
  describe('shared by its tests', () => {
    let database: TestDatabase | undefined;
    let shared: Store | undefined;
    let second: Promise<Store> | undefined;
    beforeAll(async () => {
      database = await newDatabase();
      shared = await database.open();
    });
    afterAll(async () => {
      await (await second)?.close();
      await shared?.close();
      await database?.discard();
    });
    const opened = <T>(value: T | undefined): T => {
      if (value === undefined) throw new Error('The store is not open yet.');
      return value;
    };
    contract(
      () => opened(shared),
      () => (second ??= opened(database).open()),
      () => opened(database),
    );
  });
}

/** Through the store itself, so that what it caches stays true. */
async function removeDocuments(store: Store): Promise<void> {
  await store.transaction(async (unit) => {
    for (const name of nounNames) {
      const all = await unit[name].all();
      if (all.length > 0) await unit[name].removeMany(all.map(({ id }) => id));
    }
  });
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** In a store for each test, because they close it. */
function promisesOfANewStore(newDatabase: () => Promise<TestDatabase>): void {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await newDatabase();
    store = await database.open();
  });
  afterEach(async () => {
    await store.close();
    await database.discard();
  });

  it('finishes what was asked for before it closes, closes as often as it is told, and has everything again when it is opened', async () => {
    const version = await store.schemaVersion();
    expect(version).toBeGreaterThanOrEqual(1);
    const user = await store.users.insert(aUser('ann'));
    const kapsule = newId();
    await store.granules.bulkUpsert(kapsule, someGranules(10));
    const inserts = ['a', 'b', 'c'].map((name) => store.users.insert(aUser(name)));
    await Promise.all([store.close(), store.close(), ...inserts]);
    await store.close();
    store = await database.open();
    const users = [user, ...(await Promise.all(inserts))];
    expect((await store.users.all()).sort(byId)).toEqual(users.sort(byId));
    expect((await store.granules.counts(kapsule)).total).toBe(10);
    expect(await store.schemaVersion()).toBe(version);
  });

  it('says how busy its pools are and when they are idle, answers a ping, and says that it is closed afterwards', async () => {
    const total = () => store.pools().reduce((sum, { busy, waiting }) => sum + busy + waiting, 0);
    const names = store.pools().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const inside = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    const unit = store.transaction(async (nouns) => {
      await nouns.users.all();
      inside.resolve();
      await hold.promise;
    });
    await inside.promise;
    const next = store.transaction((nouns) => nouns.users.insert(aUser('ann')));
    await vi.waitFor(() => expect(total()).toBeGreaterThanOrEqual(2));
    hold.resolve();
    await Promise.all([unit, next]);
    await vi.waitFor(() => expect(total()).toBe(0));
    await expect(store.ping()).resolves.toBeUndefined();
    await store.close();
    const calls = [
      store.ping(),
      store.users.all(),
      store.users.insert(aUser('late')),
      store.transaction((nouns) => nouns.users.all()),
      store.granules.bulkUpsert(newId(), someGranules(1)),
      store.sessionWithUser('x'),
      store.visibleTo('x'),
      store.changeMark(),
    ];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
    }
  });
}
