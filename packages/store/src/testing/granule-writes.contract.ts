import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { GranuleConflictError, InvalidTextError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { anAuditEntry, someGranules } from './samples.ts';

const row = (key: string, n: number, version?: number) => ({
  key,
  user: 'Ann',
  data: { n },
  ...(version !== undefined && { version }),
});

const RIVALS = sized(10_000, 100);

export function granuleWritesContract(store: () => Store): void {
  const counts = (kapsule: string) => store().granules.counts(kapsule);

  describe('granule upserts', () => {
    it('hand out ids and versions that stay, and raise the version with every change', async () => {
      const kapsule = newId();
      const [first] = await store().granules.upsert(kapsule, [row('A', 1)]);
      const [second] = await store().granules.upsert(kapsule, [row('A', 2)]);
      expect(first).toMatchObject({ key: 'A', version: 1, id: expect.stringMatching(/^[0-9a-f]{24}$/) });
      expect(second).toEqual({ ...first, version: 2 });
      expect(await store().granules.get(first?.id ?? '')).toEqual({
        ...row('A', 2),
        id: first?.id,
        kapsuleId: kapsule,
        version: 2,
        reloaded: false,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        deletedAt: null,
        deletedBy: null,
      });
    });

    it('leave what is unchanged as it is: version, history, reloaded', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [row('A', 1), row('B', 1)]);
      await store().granules.markReloaded(kapsule, await store().granules.watermark(kapsule));
      const stored = await store().granules.upsert(kapsule, [row('A', 1), row('B', 2)]);
      expect(stored.map(({ version }) => version)).toEqual([1, 2]);
      expect(await counts(kapsule)).toEqual({ total: 2, reloaded: 1, notReloaded: 1 });
      expect(await store().granules.history(stored[0]?.id ?? '')).toHaveLength(1);
    });

    it('take another author of the same data for a change', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [row('A', 1)]);
      const [stored] = await store().granules.upsert(kapsule, [{ ...row('A', 1), user: 'Bob' }]);
      expect(stored?.version).toBe(2);
    });

    it('store nothing when one version is stale, and say what was given and what is there', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [row('A', 1), row('B', 1)]);
      await store().granules.upsert(kapsule, [row('B', 2)]);
      const rows = [row('A', 5, 1), row('B', 5, 1), row('C', 5, 3), row('D', 5, 0), row('A', 6, 1)];
      const error = await store()
        .granules.upsert(kapsule, rows)
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(GranuleConflictError);
      expect((error as GranuleConflictError).conflicts).toEqual([
        {
          key: 'B',
          givenVersion: 1,
          givenData: { n: 5 },
          storedVersion: 2,
          storedUser: 'Ann',
          storedData: { n: 2 },
        },
        {
          key: 'C',
          givenVersion: 3,
          givenData: { n: 5 },
          storedVersion: 0,
          storedUser: null,
          storedData: null,
        },
        {
          key: 'A',
          givenVersion: 1,
          givenData: { n: 6 },
          storedVersion: 2,
          storedUser: 'Ann',
          storedData: { n: 5 },
        },
      ]);
      expect(await counts(kapsule)).toMatchObject({ total: 2 });
      expect((await store().granules.upsert(kapsule, [row('A', 2, 1)]))[0]?.version).toBe(2);
    });

    it('take version 0 for: no living granule may have this key', async () => {
      const kapsule = newId();
      const [stored] = await store().granules.upsert(kapsule, [row('A', 1, 0)]);
      await expect(store().granules.upsert(kapsule, [row('A', 2, 0)])).rejects.toThrow(GranuleConflictError);
      await store().granules.removeMany([stored?.id ?? ''], 'Bob');
      await expect(store().granules.upsert(kapsule, [row('A', 2, 1)])).rejects.toThrow(GranuleConflictError);
      expect(await store().granules.upsert(kapsule, [row('A', 2, 0)])).toEqual([{ ...stored, version: 2 }]);
    });

    it(`have exactly one winner among ${RIVALS} that replace the same version at once`, async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [row('A', -1)]);
      const tries = Array.from({ length: RIVALS }, (_, n) =>
        store().granules.upsert(kapsule, [row('A', n, 1)]),
      );
      const results = await Promise.allSettled(tries);
      const winners = results.flatMap((result, n) => (result.status === 'fulfilled' ? [n] : []));
      expect(winners).toHaveLength(1);
      const { rows } = await store().granules.page(kapsule, {
        sort: 'key',
        descending: false,
        offset: 0,
        limit: 10,
      });
      expect(rows).toMatchObject([{ version: 2, data: { n: winners[0] } }]);
    });

    it('are one with the audit entry of their unit, or nothing is stored', async () => {
      const kapsule = newId();
      await store().transaction(async (unit) => {
        await unit.granules.upsert(kapsule, [...someGranules(3)]);
        await unit.audit.insert(anAuditEntry('granule.upsert'));
      });
      const failing = store().transaction(async (unit) => {
        await unit.granules.upsert(kapsule, [...someGranules(9)]);
        await unit.granules.markReloaded(kapsule, 99);
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await counts(kapsule)).toEqual({ total: 3, reloaded: 0, notReloaded: 3 });
      expect(await store().audit.findBy('action', 'granule.upsert')).toHaveLength(1);
    });

    it('may fail inside a unit, which goes on without them', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [row('A', 1)]);
      await store().transaction(async (unit) => {
        const refused = unit.granules.upsert(kapsule, [row('Z', 1), row('A', 2, 9)]);
        await expect(refused).rejects.toThrow(GranuleConflictError);
        await unit.granules.upsert(kapsule, [row('B', 1)]);
      });
      expect(await counts(kapsule)).toMatchObject({ total: 2 });
    });

    it('bring every given time of creation into one form, and refuse what is none', async () => {
      const kapsule = newId();
      const [stored] = await store().granules.upsert(kapsule, [
        { ...row('A', 1), createdAt: '2020-01-01T02:00:00+02:00' },
      ]);
      expect((await store().granules.get(stored?.id ?? ''))?.createdAt).toBe('2020-01-01T00:00:00.000Z');
      await expect(
        store().granules.upsert(kapsule, [{ ...row('B', 1), createdAt: 'yesterday' }]),
      ).rejects.toThrow(RangeError);
      await expect(store().granules.upsert(kapsule, [row('a\0b', 1)])).rejects.toThrow(InvalidTextError);
    });
  });
}
