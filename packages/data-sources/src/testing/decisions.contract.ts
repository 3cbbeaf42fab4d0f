import { GranuleConflictError, type GranuleInput } from '@kaptain/contract/granule-records';
import {
  nameOf,
  STORED_VERSION,
  versionAfter,
  type WriteCase,
  writeCases,
} from '@kaptain/contract/testing/write-cases';
import { describe, expect, it } from 'vitest';
import type { Binding, DataSource } from '../data-source.ts';
import { addTable, everything, row, someRows, write } from './samples.ts';

/** More than the first batch: the ones after it are inserted without a look-up. */
const MANY = 1_100;

const storedCases = writeCases.filter(({ action }) => action !== 'conflict');
const conflicts = writeCases.filter(({ action }) => action === 'conflict');

const written = (one: WriteCase): GranuleInput =>
  row(nameOf(one), { Comment: one.isSame ? 'stored' : 'written' }, one.version ?? undefined);

/** Each kind of write decides every case of `decideWrite` alike. */
export function decisionsContract(source: () => DataSource): void {
  const ways: Record<string, (binding: Binding, rows: GranuleInput[]) => Promise<unknown>> = {
    'a save': (binding, rows) => write(source(), binding, rows),
    'a save of many rows': (binding, rows) => write(source(), binding, [...someRows(MANY, 'other'), ...rows]),
    'an import': (binding, rows) => source().transaction(binding, (writes) => writes.upsertAll(rows)),
    'an import of many rows': (binding, rows) =>
      source().transaction(binding, (writes) => writes.upsertAll([...someRows(MANY, 'other'), ...rows])),
    'a bulk write': (binding, rows) => source().bulkUpsert(binding, rows),
  };

  async function established(): Promise<Binding> {
    const binding = await addTable(source());
    const rows = writeCases.filter(({ stored }) => stored !== 'none');
    for (let version = 1; version <= STORED_VERSION; version += 1) {
      const data = { Comment: version === STORED_VERSION ? 'stored' : `version ${version}` };
      await write(
        source(),
        binding,
        rows.map((one) => row(nameOf(one), data)),
      );
    }
    const { rows: found } = await source().page(binding, everything);
    const deleted = rows.filter(({ stored }) => stored === 'deleted').map(nameOf);
    const ids = found.filter(({ key }) => deleted.includes(key)).map(({ id }) => id);
    await source().transaction(binding, (writes) => writes.removeMany(ids, 'Bob'));
    return binding;
  }

  const found = async (binding: Binding, isDeleted: boolean) => {
    const { rows } = await source().page(binding, { ...everything, limit: 100, deleted: isDeleted });
    return new Map(rows.map((one) => [one.key, one]));
  };

  async function expectDecided(binding: Binding): Promise<void> {
    const living = await found(binding, false);
    const states = storedCases.map(async (one) => {
      const record = living.get(nameOf(one));
      const history = await source().history(binding, record?.id ?? '');
      return [nameOf(one), record?.version, record?.data['Comment'], history.length];
    });
    // Every version is a state, also that of a deleted row.
    const expected = storedCases.map((one) => {
      const value = one.isSame ? 'stored' : 'written';
      return [nameOf(one), versionAfter(one), value, versionAfter(one)];
    });
    expect(await Promise.all(states)).toEqual(expected);
  }

  async function expectUnwritten(binding: Binding): Promise<void> {
    for (const isDeleted of [true, false]) {
      const stored = isDeleted ? 'deleted' : 'living';
      const states = [...(await found(binding, isDeleted))].map(([key, { version }]) => `${key} ${version}`);
      const cases = writeCases.filter((one) => one.stored === stored);
      expect(states.sort()).toEqual(cases.map((one) => `${nameOf(one)} ${STORED_VERSION}`).sort());
    }
  }

  describe('every case of a write is decided alike by', () => {
    it.each(Object.entries(ways))('%s', async (_, writeAll) => {
      const kept = await established();
      await writeAll(kept, storedCases.map(written));
      await expectDecided(kept);
      const refused = await established();
      const error = await writeAll(refused, writeCases.map(written)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(GranuleConflictError);
      const keys = (error as GranuleConflictError).conflicts.map(({ key }) => key);
      expect(keys.sort()).toEqual(conflicts.map(nameOf).sort());
      await expectUnwritten(refused);
    });
  });
}
