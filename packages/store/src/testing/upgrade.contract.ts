import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnavailableError } from '../errors.ts';
import type { Store } from '../store.ts';
import { aUser } from './samples.ts';

/** A database of a backend that other versions of the service use too. */
export interface UpgradedDatabase {
  open(): Promise<Store>;
  /** Makes it that of a version which had no index on the role of users, and one on their qlikId. */
  makeEarlier(): Promise<void>;
  /** Makes it that of a newer version: in a noun's form, in the tables, or only by additions. */
  makeNewer(by: 'form' | 'tables' | 'additions'): Promise<void>;
  /** Starts to use it as another version does; the answer ends that. */
  useAsOtherVersion(): Promise<() => Promise<void>>;
  /** The indexed values of the field qlikId, as the database holds them. */
  qlikIdEntries(): Promise<string[]>;
  discard(): Promise<void>;
}

const HELD_BACK = ['the end of the index on users.qlikId', 'an index on users.role'];

export function upgradeContract(backend: string, newDatabase: () => Promise<UpgradedDatabase>): void {
  describe(`${backend} and other versions of the service`, () => {
    let database: UpgradedDatabase;
    let opened: Store[] = [];
    const open = async () => {
      const store = await database.open();
      opened.push(store);
      return store;
    };
    beforeEach(async () => {
      database = await newDatabase();
      const store = await database.open();
      await store.users.insert(aUser('ann', { qlikId: 'CORP\\ann', role: 'ADMIN' }));
      await store.close();
    });
    afterEach(async () => {
      for (const store of opened) await store.close();
      opened = [];
      await database.discard();
    });

    it('builds a new index and ends a removed one, when no other version is there', async () => {
      await database.makeEarlier();
      const store = await open();
      expect(store.pendingChanges()).toEqual([]);
      expect(await store.users.findBy('role', 'ADMIN')).toHaveLength(1);
      await store.users.insert(aUser('bob', { qlikId: 'CORP\\bob' }));
      expect(await database.qlikIdEntries()).not.toContain('"CORP\\\\bob"');
    });

    it('holds both back while another version is there, finds the same without the index, and keeps the other one', async () => {
      await database.makeEarlier();
      const end = await database.useAsOtherVersion();
      const store = await open();
      expect(store.pendingChanges()).toEqual(HELD_BACK);
      const [ann] = await store.users.findBy('role', 'ADMIN');
      expect(ann?.username).toBe('ann');
      const bob = await store.users.insert(aUser('bob', { qlikId: 'CORP\\bob', role: 'ADMIN' }));
      await store.users.insert(aUser('cid'));
      expect(await store.users.findBy('role', 'ADMIN')).toEqual([ann, bob]);
      expect(await store.users.recent({ where: { role: 'ADMIN' }, limit: 1 })).toEqual([bob]);
      expect(await database.qlikIdEntries()).toContain('"CORP\\\\bob"');
      await store.users.patch(bob.id, { qlikId: 'CORP\\rob' });
      expect(await database.qlikIdEntries()).toEqual(expect.not.arrayContaining(['"CORP\\\\bob"']));

      await end();
      await store.close();
      opened = [];
      const next = await open();
      await expect.poll(() => next.pendingChanges()).toEqual([]);
      const admins = await next.users.findBy('role', 'ADMIN');
      expect(admins.map(({ username }) => username)).toEqual(['ann', 'bob']);
    });

    it('is refused in one sentence when a newer version has changed what is stored', async () => {
      await database.makeNewer('additions');
      await (await database.open()).close();
      for (const by of ['form', 'tables'] as const) {
        await database.makeNewer(by);
        const reason: unknown = await database.open().catch((error: unknown) => error);
        expect(reason).toBeInstanceOf(UnavailableError);
        expect((reason as Error).message).toMatch(
          /^The database .+ was written by a newer version of the service; install that version or a later one\.$/,
        );
      }
    });
  });
}
