import type { GranuleInput } from '@kaptain/contract/granule-records';
import { describe, expect, it, vi } from 'vitest';
import { isFullTest } from '../../../../tools/test-size.ts';
import type { DataSource } from '../data-source.ts';
import { DataSourceError } from '../errors.ts';
import { aBinding, everything, row, someRows, write } from './samples.ts';

interface Faults {
  source: () => DataSource;
  server: () => { kill(): Promise<void>; start(): Promise<void> };
  /** Another source on the same server, with other settings. */
  open: (change: object) => DataSource;
  names: Record<'host' | 'port' | 'user' | 'password' | 'database', string>;
  /** Adds a user with only the privilege to read. */
  addReader: (name: string, password: string) => Promise<void>;
  /** A connection of another program to the same server. In a deadlock with us, it is not the one that is rolled back. */
  other: () => Promise<{ query(sql: string): Promise<unknown>; end(): Promise<void> }>;
  /** The transactions that wait for a lock of another one. */
  waiting: () => Promise<unknown[]>;
  quote: (name: string) => string;
  /** A bulk write of many rows and a restart take seconds there: only at full size. */
  isSlow?: boolean;
}

const SECRET = 'canary_8731';

/** The contract suite for failures of a server: each has its own message, without a secret. */
export function faultsContract(faults: Faults): void {
  const { source, server, open, names, addReader, quote } = faults;

  async function failure(
    change: object,
    work = (broken: DataSource): Promise<unknown> => broken.ping(),
  ): Promise<DataSourceError> {
    const broken = open(change);
    const error = await work(broken).catch((reason: unknown) => reason);
    await broken.close();
    expect(error).toBeInstanceOf(DataSourceError);
    const { message } = error as DataSourceError;
    expect(message).toMatch(/^(PostgreSQL|MySQL): /);
    expect(message).not.toMatch(new RegExp(`${SECRET}|127\\.0\\.0\\.1|localhost|ECONN`));
    return error as DataSourceError;
  }

  describe('faults', () => {
    it('are reported by kind: password, database, host, port', async () => {
      expect((await failure({ [names.password]: SECRET })).category).toBe('login');
      expect((await failure({ [names.database]: SECRET })).category).toBe('login');
      expect((await failure({ [names.port]: 1 })).category).toBe('refused');
      expect((await failure({ [names.host]: 'no-such-host.invalid' })).category).toBe('refused');
      for (const host of ['/var/run/postgresql', 'a b', 'user@host', '169.254.169.254', 'h;ssl=0'])
        expect([host, (await failure({ [names.host]: host })).message]).toEqual([
          host,
          expect.stringMatching(/not allowed/),
        ]);
    });

    it('of a user without the privilege change nothing', async () => {
      const binding = aBinding();
      await source().ensureTable(binding);
      await write(source(), binding, [row('a', { Amount: 1 })]);
      await addReader('reader', SECRET);
      const change = { [names.user]: 'reader', [names.password]: SECRET };
      expect((await failure(change, (reader) => write(reader, binding, [row('b')]))).category).toBe(
        'privilege',
      );
      expect((await failure(change, (reader) => reader.ensureTable(aBinding()))).category).toBe('privilege');
      expect((await failure(change, (reader) => reader.dropTable(binding.table, true))).category).toBe(
        'privilege',
      );
      expect((await source().page(binding, everything)).rows).toMatchObject([{ key: 'a' }]);
    });

    it('that are deadlocks are rolled back, and the work runs again', async () => {
      const binding = aBinding();
      await source().ensureTable(binding);
      await write(source(), binding, [row('a'), row('b'), ...someRows(300)]);
      const other = await faults.other();
      await other.query('BEGIN');
      // Many rows, so that an engine that rolls back the smaller transaction chooses ours.
      await other.query(
        `UPDATE ${quote(binding.table)} SET ${quote('Amount')} = 7 WHERE ${quote('OrderId')} <> 'b'`,
      );
      let runs = 0;
      let theirs: Promise<unknown> = Promise.resolve();
      await source().transaction(binding, async (writes) => {
        runs += 1;
        await writes.upsert([row('b', { Amount: 1 })]);
        if (runs === 1) {
          // They wait for our lock, then we wait for their row: a deadlock.
          theirs = other
            .query(
              `UPDATE kaptain_tables SET k_last_change = k_last_change WHERE k_table = '${binding.table}'`,
            )
            .then(() => other.query('COMMIT'));
          // MariaDB renews its list of waiting transactions only when no client has read the list for 0.1 s.
          const patiently = { interval: 200, timeout: 60_000 };
          await vi.waitUntil(async () => (await faults.waiting()).length === 1, patiently);
        }
        await writes.upsert([row('a', { Amount: 2 })]);
      });
      await theirs;
      await other.end();
      // More often when ours begins again before theirs goes on.
      expect(runs).toBeGreaterThan(1);
      const { rows } = await source().page(binding, { ...everything, limit: 2 });
      expect(rows).toMatchObject([
        { key: 'a', data: { Amount: 2 } },
        { key: 'b', data: { Amount: 1 } },
      ]);
    });

    it.runIf(isFullTest || !faults.isSlow)(
      'by a kill in the middle of a bulk write leave no partial data, and the source recovers by itself',
      async () => {
        const binding = aBinding();
        await source().ensureTable(binding);
        await write(source(), binding, [row('before')]);
        async function* rows(): AsyncGenerator<GranuleInput> {
          // More than are written in one statement.
          yield* someRows(20_010);
          await server().kill();
          yield* someRows(100, 'late');
        }
        const cut = source().transaction(binding, (writes) => writes.upsertAll(rows()), true);
        await expect(cut).rejects.toMatchObject({ name: 'DataSourceError', category: 'refused' });
        await expect(source().counts(binding)).rejects.toMatchObject({ category: 'refused' });
        await server().start();
        expect(await source().counts(binding)).toMatchObject({ total: 1 });
        expect((await write(source(), binding, [row('after')]))[0]?.version).toBe(1);
      },
    );
  });
}
