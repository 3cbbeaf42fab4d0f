import { describe, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';

const query = { sort: 'key', descending: false, offset: 0, limit: 100 } as const;

export function granuleSearchContract(store: () => Store): void {
  const found = async (kapsule: string, q: string) =>
    (await store().granules.page(kapsule, { ...query, q })).rows.map(({ key }) => key);

  /** Each text is the data of the key with its number. */
  async function holding(...texts: unknown[]): Promise<string> {
    const kapsule = newId();
    const rows = texts.map((text, n) => ({ key: `#${n}`, user: '-', data: { text } }));
    await store().granules.upsert(kapsule, rows);
    return kapsule;
  }

  describe('the search for granules', () => {
    it.each([
      ['überraschung', 'Eine Überraschung!'],
      ['ÜBERRASCHUNG', 'u\u0308berraschung'],
      ['strasse', 'Hauptstraße 5'],
      ['Hauptstraße', 'HAUPTSTRASSE'],
      ['οδος', 'ΟΔΟΣ'],
      ['ΟΔΟΣ', 'ο οδος'],
      ['istanbul', 'İSTANBUL'],
      ['驚き', 'とても驚きました'],
      ['مفاجأة', 'هذه مفاجأة كبيرة'],
      ['😀b', 'a😀B'],
      ['ﬁnal', 'Final'],
    ])('finds %s in %s', async (q, text) => {
      expect(await found(await holding('else', text), q)).toEqual(['#1']);
    });

    it('keeps accents apart', async () => {
      expect(await found(await holding('resume'), 'résumé')).toEqual([]);
    });

    it.each([
      '%',
      '_',
      'a%c',
      'a_c',
      '*',
      'NOT',
      'a" OR "b',
      '"',
      "it's",
      'text:',
      'NEAR(a b)',
      '^a',
      '\\',
      '--',
    ])('takes %s to the letter', async (q) => {
      const kapsule = await holding('abc', `before ${q} after`, 'axc', 'ab or b', 'xx');
      expect(await found(kapsule, q)).toEqual(['#1']);
    });

    it('looks at key, user, numbers, booleans and what is deep inside, but not at field names', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [
        {
          key: 'ORDER-77',
          user: 'UserId=Ann',
          data: { list: [{ deep: 'Treasure' }], amount: 1234.5, ok: true },
        },
        { key: 'other', user: 'x', data: {} },
      ]);
      for (const q of ['order-77', 'userid=ann', 'TREASURE', '1234.5', 'true', 'r-7']) {
        expect([q, await found(kapsule, q)]).toEqual([q, ['ORDER-77']]);
      }
      expect(await found(kapsule, 'amount')).toEqual([]);
    });

    it('finds every part of a text, from one character to all of it', async () => {
      const text = 'aB ç"_漢😀zz';
      const kapsule = await holding('-', text);
      const characters = Array.from(text);
      for (let from = 0; from < characters.length; from += 1) {
        for (let to = from + 1; to <= characters.length; to += 1) {
          const q = characters.slice(from, to).join('');
          expect([q, await found(kapsule, q)]).toEqual([q, expect.arrayContaining(['#1'])]);
        }
      }
      expect(await found(kapsule, `${text}z`)).toEqual([]);
      expect(await found(kapsule, '')).toEqual(['#0', '#1']);
    });

    it('follows every change at once: edits, deletions, returns, and keeps kapsules apart', async () => {
      const [kapsule, other] = [await holding('first word'), await holding('first word')];
      await store().granules.upsert(kapsule, [{ key: '#0', user: '-', data: { text: 'second word' } }]);
      expect(await found(kapsule, 'first')).toEqual([]);
      expect(await found(kapsule, 'second')).toEqual(['#0']);
      expect(await found(other, 'first')).toEqual(['#0']);
      const { rows } = await store().granules.page(kapsule, { ...query, q: 'second' });
      const ids = rows.map(({ id }) => id);
      await store().granules.removeMany(ids, 'Bob');
      expect(await found(kapsule, 'second')).toEqual([]);
      await store().granules.restoreMany(ids, 'Bob');
      expect(await found(kapsule, 'second')).toEqual(['#0']);
    });

    it('combines with the filter, the order and the place of a page, and counts', async () => {
      const kapsule = newId();
      const rows = Array.from({ length: 50 }, (_, n) => ({
        key: `k${10 + n}`,
        user: '-',
        data: { even: n % 2 ? 'odd' : 'even' },
      }));
      await store().granules.upsert(kapsule, rows.slice(0, 30));
      await store().granules.markReloaded(kapsule, await store().granules.watermark(kapsule));
      await store().granules.upsert(kapsule, rows.slice(30));
      for (const q of ['even', 'v']) {
        const result = await store().granules.page(kapsule, {
          sort: 'key',
          descending: true,
          offset: 3,
          limit: 2,
          reloaded: true,
          q,
        });
        expect(result.rows.map(({ key }) => key)).toEqual(['k32', 'k30']);
        expect(result).toMatchObject({ total: 15, totalIsExact: true });
      }
    });
  });
}
