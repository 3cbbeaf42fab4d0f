import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UnavailableError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { documentsContract } from './documents.contract.ts';
import { granuleChangesContract } from './granule-changes.contract.ts';
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
import { trailContract } from './trail.contract.ts';
import { unitsContract } from './units.contract.ts';
import { valuesContract } from './values.contract.ts';
import { visibleKapsulesContract } from './visible-kapsules.contract.ts';

/** An empty database of a backend: opened as often as a test likes, thrown away at its end. */
export interface Place {
  open(): Promise<Store>;
  discard(): Promise<void>;
}

/** Every promise of the store; each backend keeps them all. */
export function storeContract(backend: string, newPlace: () => Promise<Place>): void {
  describe(`the ${backend} store`, () => {
    inOneStore(newPlace, granuleWritesContract);
    inOneStore(newPlace, granuleLifeContract);
    inOneStore(newPlace, granulePagesContract);
    inOneStore(newPlace, granuleLookupsContract);
    inOneStore(newPlace, granuleSizesContract);
    inOneStore(newPlace, granuleSearchContract);
    inOneStore(newPlace, granulesContract);
    inOneStore(newPlace, granuleImportsContract);
    inOneStore(newPlace, granuleModelContract);
  });
  describe(`the ${backend} store`, () => {
    promisesOfAnEmptyStore(newPlace);
  });
}

/** Its tests have kapsules of their own and few rows: opening a store for each would take longer than the tests. */
function inOneStore(newPlace: () => Promise<Place>, contract: (store: () => Store) => void): void {
  describe('shared by its tests', () => {
    let place: Place | undefined;
    let shared: Store | undefined;
    beforeAll(async () => {
      place = await newPlace();
      shared = await place.open();
    });
    afterAll(async () => {
      await shared?.close();
      await place?.discard();
    });
    contract(() => {
      if (!shared) throw new Error('The store is not open yet.');
      return shared;
    });
  });
}

/** In a store for each test. */
function promisesOfAnEmptyStore(newPlace: () => Promise<Place>): void {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await newPlace();
    store = await place.open();
  });
  afterEach(async () => {
    await store.close();
    await place.discard();
  });

  documentsContract(() => store);
  recentContract(() => store);
  valuesContract(() => store);
  unitsContract(() => store);
  granuleStreamsContract(() => store);
  granuleChangesContract(
    () => store,
    () => place.open(),
  );
  visibleKapsulesContract(() => store);
  saveContract(
    () => store,
    () => place.open(),
  );
  trailContract(
    () => store,
    () => place.open(),
  );

  it('has everything again when it is opened the next time', async () => {
    const user = await store.users.insert(aUser('ann'));
    const kapsule = newId();
    await store.granules.bulkUpsert(kapsule, someGranules(10));
    await store.close();
    store = await place.open();
    expect(await store.users.all()).toEqual([user]);
    expect((await store.granules.counts(kapsule)).total).toBe(10);
  });

  it('finishes what was asked for before it closes, and closes as often as it is told', async () => {
    const inserts = ['a', 'b', 'c'].map((name) => store.users.insert(aUser(name)));
    await Promise.all([store.close(), store.close(), ...inserts]);
    await store.close();
    store = await place.open();
    expect(await store.users.all()).toHaveLength(3);
  });

  it('answers a ping, and says that it is closed afterwards', async () => {
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
