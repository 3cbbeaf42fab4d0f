import {
  nameOf,
  STORED_VERSION,
  versionAfter,
  type WriteCase,
  writeCases,
} from '@kaptain/contract/testing/write-cases';
import { describe, expect, it } from 'vitest';
import { GranuleConflictError } from '../errors.ts';
import type { GranuleInput, StoredGranule } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { anAuditEntry, someGranules } from './samples.ts';

/** The first granules, which are those of the cases: keys of others sort behind them. */
const ALL = { sort: 'key', descending: false, offset: 0, limit: 100 } as const;

const storedCases = writeCases.filter(({ action }) => action !== 'conflict');
const conflicts = writeCases.filter(({ action }) => action === 'conflict');

const row = (one: WriteCase, value: string, version: number | null = null): GranuleInput => ({
  key: nameOf(one),
  user: 'Ann',
  data: { value },
  ...(version !== null && { version }),
});
const written = (one: WriteCase) => row(one, one.isSame ? 'stored' : 'written', one.version);

/** The answer has the rows in their order, where a way of writing gives one. */
type Write = (kapsule: string, rows: GranuleInput[]) => Promise<StoredGranule[] | undefined>;

/** More rows than a save has on the event loop of the embedded store, or in one value of PostgreSQL. */
const some = () => someGranules(250, 'other');
/** More rows than PostgreSQL imports while it locks the kapsule. */
const many = () => someGranules(1_001, 'other');
/** Two batches: when the second one is complete, the first one is staged. */
const twoBatches = () => someGranules(2_000, 'other');
/** Together more bytes than the embedded store replaces with the publication. */
const large = (text: string): GranuleInput[] =>
  ['x', 'y', 'z'].map((key) => ({
    key: `other large ${key}`,
    user: 'Ann',
    data: { text: text.repeat(400_000) },
  }));

/** Each kind of write decides every case of `decideWrite` alike, also where the database decides in SQL. */
export function granuleDecisionsContract(store: () => Store): void {
  const records = async (kapsule: string) => {
    const living = await store().granules.page(kapsule, ALL);
    const deleted = await store().granules.page(kapsule, { ...ALL, deleted: true });
    const all = [...living.rows, ...deleted.rows].map((one) => [one.key, one] as const);
    return new Map(all.filter(([key]) => !key.startsWith('other')));
  };

  /** The rows that the cases begin with. */
  async function establish(kapsule: string): Promise<void> {
    const { granules } = store();
    const rows = writeCases.filter(({ stored }) => stored !== 'none');
    for (let version = 1; version <= STORED_VERSION; version += 1) {
      const value = version === STORED_VERSION ? 'stored' : `version ${version}`;
      await granules.upsert(
        kapsule,
        rows.map((one) => row(one, value)),
      );
    }
    await granules.markReloaded(kapsule, await granules.watermark(kapsule));
    const found = await records(kapsule);
    const deleted = rows.filter(({ stored }) => stored === 'deleted').map((one) => found.get(nameOf(one)));
    await granules.removeMany(
      deleted.map((one) => one?.id ?? ''),
      'Bob',
    );
  }

  const save: Write = async (kapsuleId, rows) => {
    const entry = anAuditEntry('granule.upsert');
    return (await store().save({ kapsuleId, rows, dependsOn: [], entry })).granules;
  };
  const bulk: Write = async (kapsule, rows) => void (await store().granules.bulkUpsert(kapsule, rows));
  const importAll = async (kapsule: string, rows: Iterable<GranuleInput> | AsyncIterable<GranuleInput>) =>
    void (await store().granules.importAll(kapsule, rows, async () => undefined));

  const ways: Record<string, Write> = {
    'a save': save,
    'a save of many rows': async (kapsule, rows) =>
      (await save(kapsule, [...rows, ...some()]))?.slice(0, rows.length),
    'a unit of work': (kapsule, rows) => store().transaction((unit) => unit.granules.upsert(kapsule, rows)),
    'a bulk write': bulk,
    'a bulk write of many rows': (kapsule, rows) => bulk(kapsule, [...some(), ...rows]),
    'an import': async (kapsule, rows) => importAll(kapsule, rows),
    'an import of many rows': async (kapsule, rows) => importAll(kapsule, [...rows, ...many()]),
    'an import that replaces much': async (kapsule, rows) => {
      await store().granules.bulkUpsert(kapsule, large('a'));
      await importAll(kapsule, [...rows, ...large('b')]);
    },
  };

  /** These write while an import has staged their keys, or after their rows were staged. */
  const staged: Record<string, (kapsule: string, rows: GranuleInput[]) => ReturnType<Write>> = {
    'a save beside an import that has staged its keys': async (kapsule, rows) => {
      await establish(kapsule);
      let saving: ReturnType<Write> | undefined;
      async function* beside(): AsyncGenerator<GranuleInput> {
        yield* writeCases.map((one) => row(one, 'imported'));
        yield* twoBatches();
        saving = save(kapsule, rows);
        await saving.catch(() => undefined);
        throw new RangeError('broken');
      }
      await expect(importAll(kapsule, beside())).rejects.toThrow('broken');
      return saving;
    },
    'an import that has staged its rows before the others were written': async (kapsule, rows) => {
      async function* before(): AsyncGenerator<GranuleInput> {
        yield* rows;
        yield* twoBatches();
        await establish(kapsule);
      }
      await importAll(kapsule, before());
      return undefined;
    },
  };

  async function expectDecided(kapsule: string, answer?: StoredGranule[]): Promise<void> {
    const found = await records(kapsule);
    const states = async (one: WriteCase) => {
      const record = found.get(nameOf(one));
      const history = await store().granules.history(record?.id ?? '');
      const { version, data, reloaded, deletedAt } = record ?? {};
      return [nameOf(one), version, data?.['value'], reloaded, deletedAt, history.length];
    };
    // Every version is a state, also that of a deleted granule.
    const expected = storedCases.map((one) => {
      const value = one.isSame ? 'stored' : 'written';
      return [nameOf(one), versionAfter(one), value, one.action === 'same', null, versionAfter(one)];
    });
    expect(await Promise.all(storedCases.map(states))).toEqual(expected);
    const answers = storedCases.map((one) => ({ key: nameOf(one), version: versionAfter(one) }));
    expect(answer ?? answers).toMatchObject(answers);
  }

  async function expectUnwritten(kapsule: string): Promise<void> {
    const states = [...(await records(kapsule)).values()].map(
      ({ key, version, data, deletedAt }) =>
        `${deletedAt === null ? 'living' : 'deleted'} ${version} ${String(data['value'])} ${key}`,
    );
    const stored = writeCases.filter((one) => one.stored !== 'none');
    const expected = stored.map((one) => `${one.stored} ${STORED_VERSION} stored ${nameOf(one)}`);
    expect(states.sort()).toEqual(expected.sort());
    const { reloaded } = await store().granules.counts(kapsule);
    expect(reloaded).toBe(stored.filter((one) => one.stored === 'living').length);
  }

  const refusedKeys = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(GranuleConflictError);
    return (error as GranuleConflictError).conflicts.map(({ key }) => key).sort();
  };

  describe('every case of a write is decided alike by', () => {
    const all = Object.entries(ways).map(([name, write]): [string, Write] => [
      name,
      async (kapsule, rows) => {
        await establish(kapsule);
        return write(kapsule, rows);
      },
    ]);
    it.each([...all, ...Object.entries(staged)])('%s', async (_, write) => {
      const [kept, refused] = [newId(), newId()];
      await expectDecided(kept, await write(kept, storedCases.map(written)));
      const keys = await refusedKeys(write(refused, writeCases.map(written)));
      expect(keys).toEqual(conflicts.map(nameOf).sort());
      await expectUnwritten(refused);
    });

    it('a save of one row', async () => {
      const kapsule = newId();
      await establish(kapsule);
      for (const one of conflicts)
        expect(await refusedKeys(save(kapsule, [written(one)]))).toEqual([nameOf(one)]);
      await expectUnwritten(kapsule);
      for (const one of storedCases)
        expect(await save(kapsule, [written(one)])).toMatchObject([{ version: versionAfter(one) }]);
      await expectDecided(kapsule);
    });
  });
}
