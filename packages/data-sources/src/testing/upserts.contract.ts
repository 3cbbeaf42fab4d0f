import { GranuleConflictError, type GranuleInput } from '@kaptain/contract/granule-records';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import type { DataSource } from '../data-source.ts';
import { addTable, everything, linesOf, row, someRows, write } from './samples.ts';

/** More than the first batch, which is smaller than the others. */
const MANY = sized(6_000, 1_100);

/** How every data source stores rows: their versions and conflicts, transactions, streams of rows. */
export function upsertsContract(source: () => DataSource): void {
  const newTable = () => addTable(source());

  describe('upserts', () => {
    it('increase the version of changed rows, and leave unchanged rows as they are', async () => {
      const binding = await newTable();
      const full = {
        Comment: 'c',
        Amount: 0.1,
        Done: true,
        Due: '2026-01-31',
        Seen: '2026-01-31T10:00:00.000Z',
        Tags: ['x'],
      };
      const [first] = await write(source(), binding, [row('a', full), row('b', { Amount: 1 })]);
      await source().transaction(binding, async (writes) =>
        writes.markReloaded(await source().watermark(binding)),
      );
      const again = await write(source(), binding, [row('a', full), row('b', { Amount: 2 })]);
      expect(again.map(({ version }) => version)).toEqual([1, 2]);
      expect(again[0]).toEqual(first);
      expect(await source().counts(binding)).toEqual({ total: 2, reloaded: 1, notReloaded: 1 });
      const [other] = await write(source(), binding, [{ ...row('a', full), user: 'Bob' }]);
      expect(other?.version).toBe(2);
      expect(await source().get(binding, first?.id ?? '')).toMatchObject({
        key: 'a',
        user: 'Bob',
        version: 2,
        data: full,
      });
    });

    it('store nothing when one version is stale, and report the given and the stored row', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('A', { Amount: 1 }), row('B', { Amount: 1 })]);
      await write(source(), binding, [row('B', { Amount: 2 })]);
      const rows = [
        row('A', { Amount: 5 }, 1),
        row('B', { Amount: 5 }, 1),
        row('C', {}, 3),
        row('A', { Amount: 6 }, 1),
      ];
      const error = await write(source(), binding, rows).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(GranuleConflictError);
      expect((error as GranuleConflictError).conflicts).toMatchObject([
        {
          key: 'B',
          givenVersion: 1,
          givenData: { Amount: 5 },
          storedVersion: 2,
          storedUser: 'Ann',
          storedData: { Amount: 2 },
        },
        { key: 'C', givenVersion: 3, storedVersion: 0, storedUser: null, storedData: null },
        { key: 'A', givenVersion: 1, storedVersion: 2, storedData: { Amount: 5 } },
      ]);
      expect(
        (await write(source(), binding, [row('A', { Amount: 2 }, 1), row('D', {}, 0)])).map((r) => r.version),
      ).toEqual([2, 1]);
    });

    it('let exactly one of many concurrent updates of the same version succeed', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('A', { Amount: -1 })]);
      const tries = Array.from({ length: 30 }, (_, n) =>
        write(source(), binding, [row('A', { Amount: n }, 1)]),
      );
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const losers = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(losers.every((reason) => reason instanceof GranuleConflictError)).toBe(true);
    });

    it('are rolled back together when the work of the transaction fails', async () => {
      const binding = await newTable();
      const failing = source().transaction(binding, async (writes) => {
        await writes.upsert([...someRows(10)]);
        await writes.upsertAll(someRows(MANY, 'more'));
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await source().counts(binding)).toEqual({ total: 0, reloaded: 0, notReloaded: 0 });
    });

    it('are looked up in their transaction, also while a stream of them is stored', async () => {
      const binding = await newTable();
      await write(source(), binding, [row('old', { Amount: 1 })]);
      await source().transaction(binding, async (writes) => {
        async function* rows() {
          yield* someRows(MANY);
          const found = await writes.lookup(['old', 'key-0', 'none']);
          expect(found.map((one) => one && [one.key, one.version])).toEqual([['old', 1], ['key-0', 1], null]);
          yield { ...row('old', { Amount: 2 }), version: 1 };
        }
        expect(await writes.upsertAll(rows())).toBe(MANY + 1);
        expect(await writes.lookup(['old'])).toMatchObject([{ version: 2, data: { Amount: 2 } }]);
      });
    });

    it('of a stream update existing rows, also after many new ones', async () => {
      const binding = await newTable();
      const [old, same, gone] = await write(source(), binding, [
        row('old', { Amount: 1 }),
        row('same', { Amount: 1 }),
        row('gone', { Amount: 1 }),
      ]);
      await source().transaction(binding, (writes) => writes.removeMany([gone?.id ?? ''], 'Bob'));
      const meeting = [
        row('old', { Amount: 2 }),
        row('same', { Amount: 1 }),
        row('gone', { Amount: 2, Tags: ['back\\slash', 'tab\there'] }),
        row('key-0', { Amount: 9 }),
        row(`key-${MANY - 2}`, { Amount: 9 }),
        row('twice', { Due: '2026-01-31' }),
        row('twice', { Seen: '2026-01-31T10:00:00.000Z' }),
      ];
      const all = [...someRows(MANY), ...meeting];
      expect(await source().transaction(binding, (writes) => writes.upsertAll(all))).toBe(MANY + 7);
      expect((await source().counts(binding)).total).toBe(MANY + 4);
      const found = async (key: string) =>
        (await source().page(binding, { ...everything, q: key })).rows.find((stored) => stored.key === key);
      const time = { Seen: '2026-01-31T10:00:00.000Z' };
      expect(await found('old')).toMatchObject({ id: old?.id, version: 2, data: { Amount: 2 } });
      expect(await found('same')).toMatchObject({ id: same?.id, version: 1 });
      const back = { Amount: 2, Tags: ['back\\slash', 'tab\there'] };
      expect(await found('gone')).toMatchObject({ id: gone?.id, version: 2, data: back });
      expect(await found('key-0')).toMatchObject({ version: 2, user: 'Ann', data: { Amount: 9 } });
      expect(await found(`key-${MANY - 2}`)).toMatchObject({ version: 2, data: { Amount: 9 } });
      expect(await found('key-1000')).toMatchObject({
        version: 1,
        user: 'UserId=ann',
        reloaded: false,
        data: { Comment: 'remark 1000', Amount: 1000 },
      });
      expect(await found('twice')).toMatchObject({ version: 2, data: time });
      expect(await source().history(binding, (await found('twice'))?.id ?? '')).toMatchObject([
        { version: 2, data: time },
        { version: 1, data: { Due: '2026-01-31' } },
      ]);
    });

    it('of a stream that breaks keep the committed batches, and nothing of the current one', async () => {
      const binding = await newTable();
      async function* rows(): AsyncGenerator<GranuleInput> {
        yield* someRows(MANY);
        throw new RangeError('the file ends here');
      }
      await expect(source().bulkUpsert(binding, rows())).rejects.toThrow('the file ends here');
      const { total } = await source().counts(binding);
      expect(total).toBeGreaterThan(0);
      expect(total).toBeLessThan(MANY);
      const stored = (await linesOf(source().stream(binding, {}))).map(({ key }) => key);
      expect(new Set(stored)).toEqual(new Set([...someRows(total)].map(({ key }) => key)));
      const twice = [...someRows(3), ...someRows(3)].map((given, n) => ({ ...given, data: { Amount: n } }));
      expect(await source().bulkUpsert(binding, twice)).toBe(6);
      expect((await source().counts(binding)).total).toBe(total);
    });
  });
}
