import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UnavailableError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Fields } from '../nouns/noun.ts';
import type { Store } from '../store.ts';
import { aGroup, anApiKey, aUser } from './samples.ts';

/** A database of a backend that other versions of the service use too. */
export interface UpgradedDatabase {
  open(): Promise<Store>;
  /** Makes it that of a version which had no index on the role of users, one on their qlikId, and no authority WRITE. */
  makeEarlier(): Promise<void>;
  /** Makes it that of a newer version: in a noun's form, in the tables, or only by additions. */
  makeNewer(by: 'form' | 'tables' | 'additions'): Promise<void>;
  /** Starts to use it as another version does; the answer ends that. */
  useAsOtherVersion(): Promise<() => Promise<void>>;
  /** The indexed values of the field qlikId, as the database holds them. */
  qlikIdEntries(): Promise<string[]>;
  /** The documents of a noun, as the database holds them, in the order of their ids. */
  stored(noun: 'groups' | 'apiKeys'): Promise<Fields[]>;
  discard(): Promise<void>;
}

const HELD_BACK = [
  'the end of the index on users.qlikId',
  'an index on users.role',
  'form 2 of groups',
  'form 2 of apiKeys',
];

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

    it('stores WRITE so that another version is not stopped by it, loses it nowhere, and stores it plainly afterwards', async () => {
      await database.makeEarlier();
      const end = await database.useAsOtherVersion();
      const store = await open();
      const me = newId();
      const group = aGroup('writers', { authority: ['READ', 'WRITE'], userIds: [me] });
      const writers = await store.groups.insert(group);
      const deleters = await store.groups.insert(aGroup('deleters', { authority: ['READ', 'DELETE'] }));
      const reading = await store.apiKeys.insert(anApiKey('reads', { authority: 'READ' }));
      const writing = await store.apiKeys.insert(anApiKey('writes', { authority: 'WRITE' }));
      expect(writers).toMatchObject(group);
      expect(await store.visibleTo(me)).toEqual({ groups: [writers], kapsules: [] });
      expect((await database.stored('groups')).map(({ authority }) => authority)).toEqual([
        ['READ'],
        ['READ', 'DELETE'],
      ]);
      // That version would let the key write.
      expect((await database.stored('apiKeys')).map(({ expiresAt }) => expiresAt)).toEqual([
        '1970-01-01T00:00:00.000Z',
        undefined,
      ]);

      await end();
      await store.close();
      opened = [];
      const next = await open();
      await expect.poll(() => next.pendingChanges()).toEqual([]);
      expect(await next.groups.all()).toEqual([writers, deleters]);
      expect(await next.apiKeys.all()).toEqual([reading, writing]);
      await next.groups.patch(writers.id, { groupname: 'renamed' });
      await next.apiKeys.patch(reading.id, { lastUsedAt: null });
      const [stored] = await database.stored('groups');
      expect(stored).toMatchObject({ authority: ['READ', 'WRITE'], _form: 2 });
      expect((await database.stored('apiKeys'))[0]).not.toHaveProperty('expiresAt');
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
