import { limits } from '@kaptain/contract/limits';
import { describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { someGranules } from './samples.ts';

/** Granules by their keys, as a table shows them beside rows of its own. */
export function granuleLookupsContract(store: () => Store): void {
  const keysOf = async (kapsule: string, keys: string[]) =>
    (await store().granules.lookup(kapsule, keys)).map((found) => found?.key ?? null);

  describe('a look-up by keys', () => {
    it('answers in the order of the keys, null for a missing one, and a repeated key again', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [...someGranules(5)]);
      const keys = ['key-3', 'none', 'key-0', 'KEY-1', 'key-3', ''];
      expect(await keysOf(kapsule, keys)).toEqual(['key-3', null, 'key-0', null, 'key-3', null]);
      const [found] = await store().granules.lookup(kapsule, ['key-2']);
      expect(found).toEqual(await store().granules.get(found?.id ?? ''));
      expect(found).toMatchObject({ kapsuleId: kapsule, version: 1, reloaded: false, data: { n: 2 } });
      expect(await keysOf(kapsule, [])).toEqual([]);
    });

    it('sees neither deleted granules nor those of another kapsule', async () => {
      const [one, other] = [newId(), newId()];
      await store().granules.upsert(one, [...someGranules(2)]);
      expect(await keysOf(other, ['key-0'])).toEqual([null]);
      await store().granules.upsert(other, [...someGranules(1, 'other')]);
      expect(await keysOf(other, ['key-0', 'other-0'])).toEqual([null, 'other-0']);
      const [first] = await store().granules.lookup(one, ['key-0']);
      await store().granules.removeMany([first?.id ?? ''], 'Bob');
      expect(await keysOf(one, ['key-0', 'key-1'])).toEqual([null, 'key-1']);
    });

    it('finds long keys and every script, and tells keys apart that begin alike', async () => {
      const kapsule = newId();
      const keys = [
        'x'.repeat(900),
        `${'x'.repeat(899)}y`,
        'Überraschung 驚き 😀',
        `a"b'c\\d\n%_`,
        '1',
        '01',
      ];
      await store().granules.upsert(
        kapsule,
        keys.map((key) => ({ key, user: 'u', data: { key } })),
      );
      const found = await store().granules.lookup(kapsule, keys.toReversed());
      expect(found.map((granule) => granule?.data['key'])).toEqual(keys.toReversed());
      expect(await keysOf(kapsule, ['x'.repeat(899), `${'x'.repeat(900)}x`])).toEqual([null, null]);
    });

    it('takes as many keys as one call may have, in one answer when their granules are small', async () => {
      const kapsule = newId();
      await store().granules.bulkUpsert(kapsule, someGranules(limits.keysPerLookup));
      const keys = Array.from({ length: limits.keysPerLookup }, (_, n) => `key-${(n * 7) % 1_500}`);
      expect(await keysOf(kapsule, keys)).toEqual(
        keys.map((key) => (Number(key.slice(4)) < limits.keysPerLookup ? key : null)),
      );
    });

    it('ends before the first granule that no longer fits, and goes on from there', async () => {
      const kapsule = newId();
      const large = (n: number) => ({ key: `k${n}`, user: 'u', data: { text: 'ü'.repeat(200_000) } });
      await store().granules.bulkUpsert(kapsule, [0, 1, 2, 3, 4].map(large));
      const keys = ['none', 'k0', 'k1', 'absent', 'k2', 'gone', 'k3', 'k4', 'nothing'];
      const seen: (string | null)[] = [];
      const lengths: number[] = [];
      while (seen.length < keys.length) {
        const part = await keysOf(kapsule, keys.slice(seen.length));
        expect(part.length).toBeGreaterThan(0);
        lengths.push(part.length);
        seen.push(...part);
      }
      expect(lengths).toEqual([4, 3, 2]);
      expect(seen).toEqual(keys.map((key) => (/^k\d/.test(key) ? key : null)));
    });

    it('does not see the rows of an import before it is published', async () => {
      const kapsule = newId();
      async function* rows() {
        yield* someGranules(1_200);
        expect(await keysOf(kapsule, ['key-0'])).toEqual([null]);
      }
      await store().granules.importAll(kapsule, rows(), async () => undefined);
      expect(await keysOf(kapsule, ['key-0'])).toEqual(['key-0']);
    });
  });
}
