import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { GranuleConflictError, NotFoundError } from '../errors.ts';
import type { GranuleInput } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Nouns, Store } from '../store.ts';
import { linesOf } from './lines.ts';
import { anAuditEntry, aUser, someGranules } from './samples.ts';

const query = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;
const unaudited = async () => undefined;

/** Several batches. */
const MANY = sized(5_000, 1_200);

export function granuleImportsContract(store: () => Store): void {
  const counts = (kapsule: string) => store().granules.counts(kapsule);
  const audited = (action: string) => async (nouns: Nouns, stored: number) => {
    await nouns.audit.insert(anAuditEntry(action, { after: { stored } }));
  };

  /** Whatever a reader can ask shows only what was there before the import. */
  async function expectOnly(kapsule: string, total: number): Promise<void> {
    expect(await counts(kapsule)).toMatchObject({ total });
    for (const sort of ['key', 'updatedAt', 'createdAt', 'user', 'reloaded'] as const) {
      const all = await store().granules.page(kapsule, { ...query, sort, limit: 1_000 });
      expect([sort, all.rows.length, all.total]).toEqual([sort, total, total]);
    }
    expect((await store().granules.page(kapsule, { ...query, q: 'imported' })).total).toBe(0);
    expect(await linesOf(store().granules.stream(kapsule, {}))).toHaveLength(total);
  }

  describe('imports of granules', () => {
    it('show nothing until all is there, then everything with its audit entry', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [...someGranules(10)]);
      async function* rows(): AsyncGenerator<GranuleInput> {
        yield { key: 'key-1', user: 'imported', data: {} };
        yield* someGranules(MANY, 'imported');
        await expectOnly(kapsule, 10);
        yield* someGranules(10);
      }
      expect(await store().granules.importAll(kapsule, rows(), audited('import'))).toBe(MANY + 11);
      expect(await counts(kapsule)).toEqual({ total: MANY + 10, reloaded: 0, notReloaded: MANY + 10 });
      expect(await store().audit.findBy('action', 'import')).toMatchObject([
        { after: { stored: MANY + 11 } },
      ]);
      const page = await store().granules.page(kapsule, { ...query, q: `imported-${MANY - 1}` });
      expect(page).toMatchObject({ total: 1, rows: [{ key: `imported-${MANY - 1}`, version: 1 }] });
    });

    it('replace what is known with its history, skip what is unchanged, revive what was deleted', async () => {
      const kapsule = newId();
      const [a, b, c] = await store().granules.upsert(kapsule, [...someGranules(3)]);
      await store().granules.removeMany([c?.id ?? ''], 'Bob');
      const watermark = await store().granules.watermark(kapsule);
      const rows = [...someGranules(3)].map((row, n) => (n === 1 ? { ...row, data: { n: 'new' } } : row));
      await store().granules.importAll(kapsule, rows, unaudited);
      const versions = [a, b, c].map(async (row) => (await store().granules.get(row?.id ?? ''))?.version);
      expect(await Promise.all(versions)).toEqual([1, 2, 2]);
      expect(await store().granules.history(b?.id ?? '')).toHaveLength(2);
      expect(await linesOf(store().granules.stream(kapsule, { since: watermark }))).toHaveLength(2);
    });

    it('keep the last row of a key that comes twice', async () => {
      const kapsule = newId();
      const row = (key: string, n: number) => ({ key, user: 'u', data: { n } });
      await store().granules.upsert(kapsule, [row('old', 1)]);
      await store().granules.importAll(
        kapsule,
        [row('new', 1), row('old', 2), row('new', 2), row('old', 1)],
        unaudited,
      );
      const { rows } = await store().granules.page(kapsule, query);
      expect(rows.map(({ key, version, data }) => [key, version, data['n']])).toEqual([
        ['new', 1, 2],
        ['old', 1, 1],
      ]);
    });

    it.each([10, 1_001])('compare the version of the last row of a key, among %s rows', async (more) => {
      const kapsule = newId();
      const row = (key: string, n: number, version: number) => ({ key, user: 'u', data: { n }, version });
      const twice = (key: string, version: number, meanwhile = async (): Promise<unknown> => undefined) => {
        async function* rows(): AsyncGenerator<GranuleInput> {
          yield row(key, 1, version);
          for (const one of someGranules(more, `of ${key}`)) yield { ...one, version: 0 };
          yield* [row(key, 2, version), row(key, 3, version)];
          await meanwhile();
        }
        return store().granules.importAll(kapsule, rows(), unaudited);
      };
      const read = async (key: string) => {
        const [found] = await store().granules.lookup(kapsule, [key]);
        return [found?.version, found?.data['n']];
      };
      await store().granules.upsert(kapsule, [{ key: 'old', user: 'u', data: { n: 0 } }]);
      await twice('old', 1);
      await twice('new', 0);
      expect([await read('old'), await read('new')]).toEqual([
        [2, 3],
        [1, 3],
      ]);
      expect(await counts(kapsule)).toMatchObject({ total: 2 * more + 2 });
      const saving = (key: string) => () =>
        store().granules.upsert(kapsule, [{ key, user: 'v', data: { n: 'saved' } }]);
      await expect(twice('other', 0, saving('other'))).rejects.toThrow(GranuleConflictError);
      await expect(twice('old', 2, saving('old'))).rejects.toThrow(GranuleConflictError);
      expect([await read('other'), await read('old')]).toEqual([
        [1, 'saved'],
        [3, 'saved'],
      ]);
      expect(await counts(kapsule)).toMatchObject({ total: 2 * more + 3 });
    });

    it.each(['rows', 'audit'] as const)('leave nothing behind when the %s fail', async (failing) => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [...someGranules(3)]);
      async function* rows(): AsyncGenerator<GranuleInput> {
        yield* someGranules(MANY, 'imported');
        yield { key: 'key-1', user: 'imported', data: {} };
        if (failing === 'rows') throw new RangeError('broken');
      }
      const audit = async () => {
        throw new RangeError('broken');
      };
      await expect(store().granules.importAll(kapsule, rows(), audit)).rejects.toThrow('broken');
      await expectOnly(kapsule, 3);
      await store().granules.importAll(kapsule, someGranules(10, 'imported'), unaudited);
      expect(await counts(kapsule)).toMatchObject({ total: 13 });
    });

    it('refuse a stale version and store nothing', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [...someGranules(1)]);
      const rows = [...someGranules(10, 'imported'), { key: 'key-0', user: 'u', data: {}, version: 7 }];
      await expect(store().granules.importAll(kapsule, rows, unaudited)).rejects.toThrow(
        GranuleConflictError,
      );
      await expectOnly(kapsule, 1);
    });

    it('let others save meanwhile, even the same keys, and come out last', async () => {
      const kapsule = newId();
      await store().granules.upsert(kapsule, [{ key: 'old', user: 'u', data: { n: 0 } }]);
      const row = (key: string, n: number) => ({ key, user: 'u', data: { n } });
      const read = async () => (await store().granules.page(kapsule, query)).rows;
      async function* rows(): AsyncGenerator<GranuleInput> {
        yield row('new', 1);
        yield row('old', 1);
        yield* someGranules(MANY, 'imported');
        const [added, replaced] = await store().granules.upsert(kapsule, [row('new', 5), row('old', 5)]);
        expect([added?.version, replaced?.version]).toEqual([1, 2]);
        expect((await read()).map(({ data }) => data['n'])).toEqual([5, 5]);
        await store().users.insert(aUser('meanwhile'));
      }
      await store().granules.importAll(kapsule, rows(), unaudited);
      const after = (await read()).filter(({ key }) => !key.startsWith('imported'));
      const page = await store().granules.page(kapsule, { ...query, offset: MANY });
      expect(after).toEqual([]);
      expect(page.rows.map(({ key, version, data }) => [key, version, data['n']])).toEqual([
        ['new', 2, 1],
        ['old', 3, 1],
      ]);
      expect(await counts(kapsule)).toMatchObject({ total: MANY + 2 });
    });

    it('wait for each other in one kapsule, and run side by side in two', async () => {
      const [one, two] = [newId(), newId()];
      const imports = [one, one, two].map((kapsule, n) =>
        store().granules.importAll(kapsule, someGranules(MANY, `imported-${n}`), unaudited),
      );
      expect(await Promise.all(imports)).toEqual([MANY, MANY, MANY]);
      expect([(await counts(one)).total, (await counts(two)).total]).toEqual([2 * MANY, MANY]);
    });

    it('are given up when their kapsule is purged, which is said', async () => {
      const kapsule = newId();
      async function* rows(): AsyncGenerator<GranuleInput> {
        yield* someGranules(MANY, 'imported');
        await store().granules.purgeKapsule(kapsule);
      }
      await expect(store().granules.importAll(kapsule, rows(), unaudited)).rejects.toThrow(NotFoundError);
      await expectOnly(kapsule, 0);
    });
  });
}
