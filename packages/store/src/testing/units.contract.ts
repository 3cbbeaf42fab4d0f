import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { UniqueError } from '../errors.ts';
import type { Store } from '../store.ts';
import { A_MOMENT, anAuditEntry, aUser } from './samples.ts';

const INCREMENTS = sized(1_000, 100);

export function unitsContract(store: () => Store): void {
  describe('units of work', () => {
    it('store the change and its audit entry together, and hand back the result', async () => {
      const id = await store().transaction(async (nouns) => {
        const user = await nouns.users.insert(aUser('ann'));
        await nouns.audit.insert(anAuditEntry('user.create', { target: `user:${user.id}` }));
        return user.id;
      });
      expect(await store().users.get(id)).toBeDefined();
      expect(await store().audit.findBy('target', `user:${id}`)).toHaveLength(1);
    });

    it('store nothing when the work throws, and pass the error on', async () => {
      const kept = await store().users.insert(aUser('kept'));
      const unit = store().transaction(async (nouns) => {
        await nouns.users.insert(aUser('lost'));
        await nouns.users.patch(kept.id, { role: 'ADMIN' });
        await nouns.audit.insert(anAuditEntry('lost'));
        throw new RangeError('changed my mind');
      });
      await expect(unit).rejects.toThrow(new RangeError('changed my mind'));
      expect(await store().users.all()).toEqual([kept]);
      expect(await store().users.findBy('role', 'ADMIN')).toEqual([]);
      expect(await store().audit.recent({ limit: 1 })).toEqual([]);
    });

    it('see their own writes by every way of reading, while no other reader does', async () => {
      await store().transaction(async (nouns) => {
        const user = await nouns.users.insert(aUser('inside'));
        expect(await nouns.users.get(user.id)).toEqual(user);
        expect(await nouns.users.all()).toEqual([user]);
        expect(await nouns.users.findBy('role', 'USER')).toEqual([user]);
        expect(await nouns.users.recent({ limit: 1 })).toEqual([user]);
        expect(await store().users.all()).toEqual([]);
        expect(await store().users.get(user.id)).toBeUndefined();
      });
      expect(await store().users.all()).toHaveLength(1);
    });

    it('go on after a refused step, which leaves nothing behind', async () => {
      await store().users.insert(aUser('taken'));
      await store().transaction(async (nouns) => {
        const refused = nouns.users.insert(aUser('taken', { role: 'ADMIN' }));
        await expect(refused).rejects.toThrow(UniqueError);
        await nouns.users.insert(aUser('free'));
      });
      expect((await store().users.all()).map((user) => user.username)).toEqual(['taken', 'free']);
      expect(await store().users.findBy('role', 'ADMIN')).toEqual([]);
    });

    it('have exactly one winner when 100 try to be the first', async () => {
      const tries = Array.from({ length: 100 }, (_, n) =>
        store().transaction(async (nouns) => {
          if ((await nouns.instance.all()).length > 0) return 'late';
          await nouns.instance.insert({ singleton: 'instance', initializedAt: A_MOMENT });
          await nouns.users.insert(aUser(`admin ${n}`, { role: 'ADMIN' }));
          return 'first';
        }),
      );
      const results = await Promise.all(tries);
      expect(results.filter((result) => result === 'first')).toHaveLength(1);
      expect(await store().users.findBy('role', 'ADMIN')).toHaveLength(1);
      expect(await store().instance.all()).toHaveLength(1);
    });

    it(`lose none of ${INCREMENTS} parallel increments`, async () => {
      const { id } = await store().users.insert(aUser('counter'));
      const increments = Array.from({ length: INCREMENTS }, () =>
        store().transaction(async (nouns) => {
          const user = await nouns.users.get(id);
          await nouns.users.patch(id, { loginAttempts: (user?.loginAttempts ?? 0) + 1 });
        }),
      );
      await Promise.all(increments);
      expect(await store().users.get(id)).toMatchObject({
        loginAttempts: INCREMENTS,
        version: INCREMENTS + 1,
      });
    });

    it('are over when their work is: a late step is refused and stores nothing', async () => {
      const late = await store().transaction(async (nouns) => () => nouns.users.insert(aUser('late')));
      await expect(late()).rejects.toThrow('ended');
      expect(await store().users.all()).toEqual([]);
    });
  });
}
