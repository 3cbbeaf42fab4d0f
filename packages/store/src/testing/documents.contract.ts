import { describe, expect, it } from 'vitest';
import { NotFoundError, StaleVersionError, UniqueError } from '../errors.ts';
import { foldName } from '../folding.ts';
import { newId } from '../ids.ts';
import type { UserRecord } from '../nouns/users.ts';
import type { Nouns, Store } from '../store.ts';
import { A_MOMENT, aGroup, aKapsule, anAuditEntry, aSession, aUser } from './samples.ts';

export function documentsContract(store: () => Store): void {
  describe('documents', () => {
    it('gives an id that sorts by time, and version 1', async () => {
      const first = await store().users.insert(aUser('first'));
      const second = await store().users.insert(aUser('second'));
      expect(first).toEqual({ ...aUser('first'), id: first.id, version: 1 });
      expect(first.id).toMatch(/^[0-9a-f]{24}$/);
      expect(second.id > first.id).toBe(true);
    });

    it('keeps an id that is given, and refuses it a second time', async () => {
      const id = newId();
      expect((await store().users.insert(aUser('given', { id }))).id).toBe(id);
      const again = store().users.insert(aUser('other', { id }));
      await expect(again).rejects.toMatchObject({ name: 'UniqueError', noun: 'users', field: 'id' });
      await expect(store().users.insert(aUser('bad', { id: 'x' }))).rejects.toThrow(TypeError);
    });

    it('reads back what has just been written', async () => {
      const { id } = await store().users.insert(aUser('written'));
      expect((await store().users.get(id))?.username).toBe('written');
      await store().users.patch(id, { username: 'rewritten' });
      expect((await store().users.get(id))?.username).toBe('rewritten');
      await store().users.remove(id);
      expect(await store().users.get(id)).toBeUndefined();
    });

    it('goes on after the version that a document had before it was removed', async () => {
      const { version: _, ...user } = await store().users.insert(aUser('again'));
      await store().users.remove(user.id);
      expect(await store().users.insert(user, 7)).toEqual({ ...user, version: 8 });
      expect(await store().users.patch(user.id, { lockTime: A_MOMENT }, 8)).toMatchObject({ version: 9 });
    });

    it('tells the size of the documents with a value, in a unit with its own changes', async () => {
      const [owner, other] = [newId(), newId()];
      const size = (nouns: Nouns) => nouns.kapsules.sizeBy('ownerId', owner);
      expect(await size(store())).toEqual({ count: 0, bytes: 0 });
      const first = await store().kapsules.insert(aKapsule('größe', owner));
      await store().kapsules.insert(aKapsule('of another', other));
      const one = await size(store());
      expect(one).toEqual({ count: 1, bytes: expect.any(Number) });
      expect(one.bytes).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(first)));
      expect(one.bytes).toBeLessThan(2 * Buffer.byteLength(JSON.stringify(first)));
      await store().transaction(async (unit) => {
        await unit.kapsules.insert(aKapsule('second', owner));
        expect((await size(unit)).count).toBe(2);
        await unit.kapsules.remove(first.id);
        expect((await size(unit)).count).toBe(1);
      });
    });

    it('raises the version with every patch and touches nothing else', async () => {
      const user = await store().users.insert(aUser('versioned'));
      const patched = await store().users.patch(user.id, { lockTime: A_MOMENT }, 1);
      expect(patched).toEqual({ ...user, lockTime: A_MOMENT, version: 2 });
    });

    it('never lets a patch change id or version', async () => {
      const user = await store().users.insert(aUser('fixed'));
      const forged = { id: newId(), version: 99, role: 'ADMIN' } as Partial<UserRecord>;
      expect(await store().users.patch(user.id, forged)).toEqual({ ...user, role: 'ADMIN', version: 2 });
    });

    it('refuses a patch of a version that is no longer current, and changes nothing', async () => {
      const { id } = await store().users.insert(aUser('contested'));
      await store().users.patch(id, { qlikId: 'mine' }, 1);
      await expect(store().users.patch(id, { qlikId: 'yours' }, 1)).rejects.toThrow(StaleVersionError);
      expect(await store().users.get(id)).toMatchObject({ qlikId: 'mine', version: 2 });
    });

    it('lets exactly one of 50 patches of the same version win', async () => {
      const { id } = await store().users.insert(aUser('raced'));
      const tries = Array.from({ length: 50 }, (_, n) => store().users.patch(id, { loginAttempts: n }, 1));
      const results = await Promise.allSettled(tries);
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect((await store().users.get(id))?.version).toBe(2);
    });

    it('says so when a document is not there', async () => {
      expect(await store().users.get(newId())).toBeUndefined();
      expect(await store().users.remove(newId())).toBe(false);
      await expect(store().users.patch(newId(), { qlikId: '' })).rejects.toThrow(NotFoundError);
    });

    it('refuses a second holder of a unique value, also under folding, and stores nothing of it', async () => {
      await store().users.insert(aUser('Ådmin ß'));
      for (const twin of ['ådmin SS', ' A\u030ADMIN ss ', 'Å\u200Bdmin ß']) {
        expect(foldName(twin)).toBe(foldName('Ådmin ß'));
        await expect(store().users.insert(aUser(twin, { role: 'ADMIN' }))).rejects.toThrow(UniqueError);
      }
      expect(await store().users.all()).toHaveLength(1);
      expect(await store().users.findBy('role', 'ADMIN')).toEqual([]);
    });

    it('refuses a patch to a taken unique value, and frees values that are given up', async () => {
      const ann = await store().users.insert(aUser('ann'));
      const bob = await store().users.insert(aUser('bob'));
      const taken = store().users.patch(bob.id, { nameKey: 'ann', qlikId: 'x' });
      await expect(taken).rejects.toMatchObject({ name: 'UniqueError', noun: 'users', field: 'nameKey' });
      expect(await store().users.get(bob.id)).toEqual(bob);
      await store().users.patch(ann.id, { nameKey: 'anna' });
      await store().users.patch(bob.id, { nameKey: 'ann' });
      await store().users.remove(ann.id);
      await expect(store().users.insert(aUser('anna'))).resolves.toMatchObject({ version: 1 });
    });

    it('finds by a declared index, in order of creation, and follows every change', async () => {
      const [ann, bob] = [await store().users.insert(aUser('ann')), await store().users.insert(aUser('bob'))];
      expect(await store().users.findBy('role', 'USER')).toEqual([ann, bob]);
      expect(await store().users.findBy('nameKey', 'bob')).toEqual([bob]);
      const admin = await store().users.patch(ann.id, { role: 'ADMIN' });
      expect(await store().users.findBy('role', 'ADMIN')).toEqual([admin]);
      expect(await store().users.findBy('role', 'USER')).toEqual([bob]);
      await store().users.remove(bob.id);
      expect(await store().users.findBy('role', 'USER')).toEqual([]);
      await expect(store().users.findBy('qlikId', 'x')).rejects.toThrow(TypeError);
    });

    it('finds a list by each of its entries, once', async () => {
      const group = await store().groups.insert(
        aGroup('g', { userIds: ['u1', 'u2', 'u1'], kapsuleIds: ['k'] }),
      );
      await store().groups.insert(aGroup('empty'));
      expect(await store().groups.findBy('userIds', 'u1')).toEqual([group]);
      expect(await store().groups.findBy('kapsuleIds', 'k')).toEqual([group]);
      const changed = await store().groups.patch(group.id, { userIds: ['u2', 'u3'] });
      expect(await store().groups.findBy('userIds', 'u1')).toEqual([]);
      expect(await store().groups.findBy('userIds', 'u2')).toEqual([changed]);
      expect(await store().groups.findBy('userIds', 'u3')).toEqual([changed]);
    });

    it('finds null as a value of its own', async () => {
      const withoutActor = await store().audit.insert(anAuditEntry('a'));
      await store().audit.insert(anAuditEntry('a', { actorId: 'null' }));
      expect(await store().audit.findBy('actorId', null)).toEqual([withoutActor]);
    });

    it('gives a session together with its user and the change mark as they are now', async () => {
      const user = await store().users.insert(aUser('ann'));
      const session = await store().sessions.insert(aSession('hash', user.id));
      const mark = await store().changeMark();
      expect(await store().sessionWithUser('hash')).toEqual({ session, user, mark });
      const promoted = await store().users.patch(user.id, { role: 'ADMIN' });
      const found = await store().sessionWithUser('hash');
      expect(found).toEqual({ session, user: promoted, mark: await store().changeMark() });
      expect(found?.mark).not.toBe(mark);
      expect(await store().sessionWithUser('other')).toBeUndefined();
      await store().users.remove(user.id);
      expect(await store().sessionWithUser('hash')).toBeUndefined();
    });
  });
}
