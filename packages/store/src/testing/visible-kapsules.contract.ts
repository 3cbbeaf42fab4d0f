import { describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { aDeletedKapsule, aGroup, aKapsule, anAuditEntry, aUser, someGranules } from './samples.ts';

export function visibleKapsulesContract(store: () => Store): void {
  describe('the reach of a user', () => {
    it('is nothing without a group or a kapsule', async () => {
      await store().kapsules.insert(aKapsule('foreign', newId()));
      await store().groups.insert(aGroup('foreign', { userIds: [newId()] }));
      expect(await store().visibleTo(newId())).toEqual({ groups: [], kapsules: [] });
    });

    it('is what they own and what their groups hold, each once and in order of creation', async () => {
      const [me, other] = [newId(), newId()];
      const first = await store().kapsules.insert(aKapsule('shared twice', other));
      const mine = await store().kapsules.insert(aKapsule('mine', me));
      await store().kapsules.insert(aKapsule('foreign', other));
      const last = await store().kapsules.insert(aKapsule('shared', other));
      const userIds = [other, me];
      const one = await store().groups.insert(aGroup('one', { userIds, kapsuleIds: [last.id, first.id] }));
      const two = await store().groups.insert(aGroup('two', { userIds, kapsuleIds: [first.id, mine.id] }));
      await store().groups.insert(aGroup('foreign', { userIds: [other], kapsuleIds: [first.id] }));
      expect(await store().visibleTo(me)).toEqual({ groups: [one, two], kapsules: [first, mine, last] });
    });

    it('is that of one kapsule alone where one is named', async () => {
      const [me, other] = [newId(), newId()];
      const shared = await store().kapsules.insert(aKapsule('one of two', other));
      const second = await store().kapsules.insert(aKapsule('two of two', other));
      const mine = await store().kapsules.insert(aKapsule('my own', me));
      const foreign = await store().kapsules.insert(aKapsule('not mine', other));
      const kapsuleIds = [shared.id, second.id];
      const group = await store().groups.insert(aGroup('both', { userIds: [me], kapsuleIds }));
      await store().groups.insert(aGroup('the other', { userIds: [me], kapsuleIds: [second.id] }));
      expect(await store().visibleTo(me, shared.id)).toEqual({ groups: [group], kapsules: [shared] });
      expect(await store().visibleTo(me, mine.id)).toEqual({ groups: [], kapsules: [mine] });
      for (const id of [foreign.id, newId()])
        expect(await store().visibleTo(me, id)).toEqual({ groups: [], kapsules: [] });
    });

    it('follows a change at once and leaves out what no longer exists', async () => {
      const me = newId();
      const kapsule = await store().kapsules.insert(aKapsule('gone soon', newId()));
      const group = await store().groups.insert(aGroup('g', { userIds: [me], kapsuleIds: [kapsule.id] }));
      expect((await store().visibleTo(me)).kapsules).toEqual([kapsule]);
      await store().kapsules.remove(kapsule.id);
      expect((await store().visibleTo(me)).kapsules).toEqual([]);
      await store().groups.patch(group.id, { userIds: [] });
      expect(await store().visibleTo(me)).toEqual({ groups: [], kapsules: [] });
    });
  });

  describe('a deleted kapsule', () => {
    it('is out of reach with its granules kept, until it is restored under its id', async () => {
      const me = newId();
      const kapsule = await store().kapsules.insert(aKapsule('deleted', me));
      const { granules } = store();
      await granules.bulkUpsert(kapsule.id, someGranules(3));
      const [first] = (
        await granules.page(kapsule.id, { sort: 'key', descending: false, offset: 0, limit: 1 })
      ).rows;
      await store().transaction(async (unit) => {
        await unit.kapsules.remove(kapsule.id);
        await unit.deletedKapsules.insert(aDeletedKapsule(kapsule));
      });
      expect(await store().kapsules.get(kapsule.id)).toBeUndefined();
      expect((await store().visibleTo(me)).kapsules).toEqual([]);
      expect(await store().deletedKapsules.findBy('ownerId', me)).toMatchObject([{ id: kapsule.id }]);
      expect((await granules.counts(kapsule.id)).total).toBe(3);
      await store().transaction(async (unit) => {
        await unit.deletedKapsules.remove(kapsule.id);
        const { version: _, ...record } = kapsule;
        await unit.kapsules.insert(record);
      });
      expect((await store().visibleTo(me)).kapsules).toEqual([kapsule]);
      const saved = await granules.upsert(kapsule.id, [
        { key: 'key-0', user: 'u', data: { comment: 'new' } },
      ]);
      expect(saved).toMatchObject([{ id: first?.id, version: 2 }]);
      expect(await granules.history(first?.id ?? '')).toHaveLength(2);
    });
  });

  describe('the change mark', () => {
    it('stays while nothing changes and is another after every kind of change', async () => {
      const seen = new Set([await store().changeMark()]);
      const isNew = async () => {
        const mark = await store().changeMark();
        expect(await store().changeMark()).toBe(mark);
        expect(seen.has(mark)).toBe(false);
        seen.add(mark);
      };
      const { id } = await store().users.insert(aUser('ann'));
      await isNew();
      await store().users.patch(id, { role: 'ADMIN' });
      await isNew();
      await store().transaction((nouns) => nouns.audit.insert(anAuditEntry('x')));
      await isNew();
      await store().granules.bulkUpsert(newId(), someGranules(3));
      await isNew();
      await store().users.remove(id);
      await isNew();
    });
  });
}
