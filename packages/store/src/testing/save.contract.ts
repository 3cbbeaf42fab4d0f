import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { GranuleConflictError, StaleVersionError, UnavailableError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Saving } from '../saving.ts';
import type { Store } from '../store.ts';
import { aKapsule, anAuditEntry, aUser } from './samples.ts';
import type { TestDatabase } from './test-database.ts';

const row = (key: string, comment = 'x', version?: number) => ({
  key,
  user: 'ann',
  data: { comment },
  ...(version !== undefined && { version }),
});

const saving = (kapsuleId: string, rows: Saving['rows'], dependsOn: Saving['dependsOn'] = []): Saving => ({
  kapsuleId,
  rows,
  dependsOn,
  entry: anAuditEntry('granule.upsert', { target: `kapsule:${kapsuleId}` }),
});

/** Saves that run at once: a multiple of thirty, so that each of three kapsules has as many that are refused. */
const AT_ONCE = sized(300, 90);
/** Saves that a reader follows. */
const FOLLOWED = sized(200, 60);

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

export function saveContract(
  store: () => Store,
  second: () => Promise<Store>,
  database: () => TestDatabase,
): void {
  const entriesOf = async (kapsuleId: string) =>
    (await store().audit.findBy('target', `kapsule:${kapsuleId}`)).map(({ id }) => id);
  const versionsOf = async (kapsuleId: string) => {
    const query = { sort: 'key', descending: false, offset: 0, limit: 500 } as const;
    return (await store().granules.page(kapsuleId, query)).rows.map(
      ({ key, version }) => `${key} ${version}`,
    );
  };

  describe('saving granules in one step', () => {
    it('stores granules and audit entry together, and answers ids, versions and the entry', async () => {
      const kapsule = newId();
      const toSeal = { id: newId(), mac: 'm', key: 'k' };
      const given = saving(kapsule, [row('a'), row('b')]);
      const first = await store().save({ ...given, entry: { ...given.entry, id: toSeal.id }, toSeal });
      expect(first.granules).toMatchObject([
        { key: 'a', version: 1 },
        { key: 'b', version: 1 },
      ]);
      expect(await store().audit.get(first.entry.id)).toEqual(first.entry);
      expect(await store().toSeal.get(toSeal.id)).toEqual({ ...toSeal, version: 1 });
      const [a] = first.granules;
      const second = await store().save(saving(kapsule, [row('a', 'y', 1), row('b')]));
      // An unchanged granule keeps its version.
      expect(second.granules).toMatchObject([
        { id: a?.id, key: 'a', version: 2 },
        { key: 'b', version: 1 },
      ]);
      expect(await store().granules.history(a?.id ?? '')).toHaveLength(2);
      await store().granules.removeMany([a?.id ?? ''], 'Bob');
      const revived = await store().save(saving(kapsule, [row('a', 'z')]));
      expect(revived.granules).toMatchObject([{ id: a?.id, version: 3 }]);
      expect(await store().granules.counts(kapsule)).toMatchObject({ total: 2 });
      expect(await entriesOf(kapsule)).toHaveLength(3);
      expect(await store().granules.changesPerDay(kapsule, 2)).toMatchObject([{ changes: 5 }]);
    });

    it('takes a key that comes twice, and a thousand rows', async () => {
      const [twice, many] = [newId(), newId()];
      const { granules } = await store().save(saving(twice, [row('a', '1'), row('b'), row('a', '2')]));
      expect(granules.map(({ key, version }) => `${key} ${version}`)).toEqual(['a 1', 'b 1', 'a 2']);
      await store().save(
        saving(
          many,
          numbers(1_000).map((n) => row(`k${n}`)),
        ),
      );
      expect(await store().granules.counts(many)).toMatchObject({ total: 1_000 });
    });

    it('refuses a stale version with both values, and stores nothing', async () => {
      const kapsule = newId();
      await store().save(saving(kapsule, [row('a')]));
      const stale = store().save(saving(kapsule, [row('new'), row('a', 'y', 7)]));
      await expect(stale).rejects.toThrow(GranuleConflictError);
      await expect(stale).rejects.toMatchObject({
        conflicts: [{ key: 'a', givenVersion: 7, storedVersion: 1, storedData: { comment: 'x' } }],
      });
      expect([await versionsOf(kapsule), (await entriesOf(kapsule)).length]).toEqual([['a 1'], 1]);
    });

    it('stores nothing when a document that it depends on has changed or is gone', async () => {
      const user = await store().users.insert(aUser('ann'));
      const kapsule = await store().kapsules.insert(aKapsule('Sales', user.id));
      const on = (version?: number) => [
        { noun: 'users' as const, id: user.id, ...(version !== undefined && { version }) },
        { noun: 'kapsules' as const, id: kapsule.id, version: 1 },
      ];
      const save = (version?: number) => store().save(saving(kapsule.id, [row('a')], on(version)));
      await save(1);
      await store().users.patch(user.id, { role: 'ADMIN' });
      await expect(save(1)).rejects.toThrow(StaleVersionError);
      await save();
      await save(2);
      await store().users.remove(user.id);
      await expect(save()).rejects.toThrow(StaleVersionError);
      expect(await entriesOf(kapsule.id)).toHaveLength(3);
    });

    it('keeps apart those that run at once: each is stored whole or not at all', async () => {
      const kapsules = [newId(), newId(), newId()];
      const other = await second();
      const all = numbers(AT_ONCE).map(async (n) => {
        const on = n % 2 === 0 ? store() : other;
        // Every tenth is refused.
        const rows = [row(`k${n}`), ...(n % 10 === 0 ? [row(`other${n}`, 'x', 5)] : [])];
        return on.save(saving(kapsules[n % 3] ?? '', rows)).then(
          ({ entry }) => entry.id,
          (error: unknown) => (error instanceof GranuleConflictError ? undefined : String(error)),
        );
      });
      const stored = (await Promise.all(all)).filter((id) => id !== undefined);
      const entries = await Promise.all(kapsules.map(entriesOf));
      expect(entries.flat().sort()).toEqual(stored.sort());
      expect(stored).toHaveLength(0.9 * AT_ONCE);
      for (const kapsule of kapsules)
        expect(await store().granules.counts(kapsule)).toMatchObject({ total: 0.3 * AT_ONCE });
      expect((await versionsOf(kapsules[0] ?? '')).filter((text) => text.startsWith('other'))).toEqual([]);
    });

    it('lets exactly one of 60 writers of one version win, beside units of work', async () => {
      const kapsule = newId();
      await store().save(saving(kapsule, [row('a')]));
      const other = await second();
      const write = (n: number) => {
        const rows = [row('a', `writer ${n}`, 1)];
        if (n % 3 === 0) return store().transaction((unit) => unit.granules.upsert(kapsule, rows));
        return (n % 3 === 1 ? store() : other).save(saving(kapsule, rows));
      };
      const results = await Promise.allSettled(numbers(60).map(write));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await versionsOf(kapsule)).toEqual(['a 2']);
    });

    it('never lets a reader that goes on from its watermark miss a change', async () => {
      const kapsule = newId();
      const other = await second();
      let isOver = false;
      const seen = new Set<string>();
      const read = async () => {
        for (let since = 0, isLast = false; !isLast; ) {
          isLast = isOver;
          const watermark = await store().granules.watermark(kapsule);
          for await (const chunk of store().granules.stream(kapsule, { since }))
            for (const line of Buffer.from(chunk).toString().trim().split('\n'))
              seen.add((JSON.parse(line) as { key: string }).key);
          since = watermark;
        }
      };
      const reading = read();
      const keys = numbers(FOLLOWED).map((n) => `k${n}`);
      await Promise.all(
        keys.map((key, n) => (n % 2 === 0 ? store() : other).save(saving(kapsule, [row(key)]))),
      );
      isOver = true;
      await reading;
      expect([...seen].sort()).toEqual(keys.sort());
    });

    it('leaves nothing behind when its kapsule is deleted at the same time', async () => {
      const other = await second();
      for (const n of numbers(8)) {
        const { id } = await store().kapsules.insert(aKapsule(`Sales ${n}`, newId()));
        const dependsOn = [{ noun: 'kapsules' as const, id, version: 1 }];
        const save = (on: Store) => on.save(saving(id, [row('a')], dependsOn)).catch(() => undefined);
        const remove = store().transaction(async (unit) => {
          await unit.kapsules.remove(id);
          await unit.granules.purgeKapsule(id);
        });
        await Promise.all([save(other), remove, save(other), save(store())]);
        expect(await store().granules.counts(id)).toMatchObject({ total: 0 });
        expect(await store().granules.watermark(id)).toBe(0);
      }
    });

    it('is told to listeners, here and on other instances', async () => {
      const kapsule = newId();
      const other = await second();
      const [here, there]: [string[], string[]] = [[], []];
      store().granules.onChange((id) => here.push(id));
      other.granules.onChange((id) => there.push(id));
      await store().save(saving(kapsule, [row('a')]));
      await expect.poll(() => [here.includes(kapsule), there.includes(kapsule)]).toEqual([true, true]);
    });

    it('is refused inside a unit of work and after the store was closed, and finished before', async () => {
      const other = await database().open();
      const kapsule = newId();
      const inside = other.transaction(() => other.save(saving(kapsule, [row('a')])));
      await expect(inside).rejects.toThrow('only the nouns handed to it may write');
      const before = other.save(saving(kapsule, [row('b')]));
      await Promise.all([other.close(), before]);
      await expect(other.save(saving(kapsule, [row('c')]))).rejects.toThrow(UnavailableError);
      expect(await versionsOf(kapsule)).toEqual(['b 1']);
    });
  });
}
