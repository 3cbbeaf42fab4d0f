import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { newId } from '../../ids.ts';
import type { Fields } from '../../nouns/noun.ts';
import { patient } from '../../testing/patient.ts';
import { releasedContract } from '../../testing/released.contract.ts';
import { aUser } from '../../testing/samples.ts';
import { upgradeContract } from '../../testing/upgrade.contract.ts';
import { clientConfig, type PostgresOptions } from './config.ts';
import { Connections } from './connections.ts';
import { numberDeletions } from './granules/deletions.ts';
import { locks } from './locks.ts';
import { open } from './open.ts';
import type { Session } from './session.ts';
import { query } from './testing/query.ts';
import { migrate, steps } from './upgrades/migrations.ts';

const EARLIER = [
  'DROP INDEX kaptain."users.role"',
  "UPDATE kaptain.users SET keys = keys - 'role'",
  "DELETE FROM kaptain.declared_indexes WHERE noun = 'users' AND field = 'role'",
  "INSERT INTO kaptain.declared_indexes VALUES ('users', 'qlikId', 'index')",
  'CREATE INDEX "users.qlikId" ON kaptain.users ((keys ->> \'qlikId\'), id)',
  "DELETE FROM kaptain.in_force WHERE subject IN ('groups', 'apiKeys')",
];

const NEWER = {
  additions: 'UPDATE kaptain.schema_version SET version = 999',
  form: "INSERT INTO kaptain.in_force VALUES ('users', 999)",
  tables: "DELETE FROM kaptain.in_force; INSERT INTO kaptain.in_force VALUES ('tables', 999)",
};

describe.runIf(hasPostgres())('on a real server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  const aDatabase = async (template = 'template1') => {
    const options = { ...patient(server.config), database: `db_${newId()}` };
    await query(server.config, `CREATE DATABASE ${options.database} TEMPLATE ${template}`);
    return options;
  };
  /** Without documents, for as many copies as there are tests: making its tables takes four times as long as a copy. */
  let withTables: Promise<string> | undefined;
  const makeTables = async () => {
    const options = await aDatabase();
    await (await open(options)).close();
    return options.database;
  };
  const aDatabaseWithTables = async () => aDatabase(await (withTables ??= makeTables()));

  releasedContract('postgres', async (dump) => {
    const options = await aDatabase();
    await query(options, dump.toString('utf8'));
    return () => open(options);
  });

  it('does a step in code when no other version is there, and earlier versions refuse the result', async () => {
    const options = await aDatabaseWithTables();
    const store = await open(options);
    await store.users.insert(aUser('ann'));
    const connections = new Connections(options);
    const work = (session: Session) =>
      session.exec('UPDATE kaptain.users SET doc = replace(doc, \'"qlikId":""\', \'"qlikId":"x"\')');
    const upgrade = () => migrate(connections, [...steps, { work }]);
    await expect(upgrade()).rejects.toThrow('Another version of the service uses the same database, and');
    expect(await store.users.all()).toMatchObject([{ qlikId: '' }]);
    await store.close();
    await upgrade();
    await connections.close();
    const [row] = await query<{ doc: string }>(options, 'SELECT doc FROM kaptain.users');
    expect(row?.doc).toContain('"qlikId":"x"');
    await expect(open(options)).rejects.toThrow('was written by a newer version');
  });

  describe('deletions of an earlier version', () => {
    /** Deletes a granule as an earlier version does: without a number. */
    const removeAsEarlier = async (options: PostgresOptions, key: string) => {
      const sql =
        "UPDATE kapsule_data.granules SET deleted_at = updated_at, deleted_by = 'Bob' WHERE place LIKE $1";
      await query(options, sql, [`%:${key}`]);
      await query(options, 'UPDATE kapsule_data.granule_counts SET total = total - 1, deleted = deleted + 1');
    };
    const rows = ['a', 'b', 'c'].map((key) => ({ key, user: 'ann', data: {} }));

    it('get their numbers while that version is there, and when it has left', async () => {
      const options = await aDatabaseWithTables();
      const store = await open(options);
      await store.granules.upsert('followed', rows);
      const since = await store.granules.watermark('followed');
      const told = () => store.granules.deletedSince('followed', since);
      await removeAsEarlier(options, 'a');
      const other = new Client(clientConfig(options));
      await other.connect();
      await other.query(`SELECT pg_advisory_lock_shared(${locks.version(1)})`);
      await expect.poll(told, { timeout: 30_000 }).toBe(1);
      await removeAsEarlier(options, 'b');
      await expect.poll(told, { timeout: 30_000 }).toBe(2);
      await removeAsEarlier(options, 'c');
      await other.end();
      await expect.poll(told, { timeout: 30_000 }).toBe(3);
      await store.close();
    });

    it('are looked for again when the kapsule of some is purged meanwhile', async () => {
      const options = await aDatabaseWithTables();
      const store = await open(options);
      await store.granules.upsert('purged', rows);
      await store.close();
      await removeAsEarlier(options, 'a');
      const purging = new Client(clientConfig(options));
      await purging.connect();
      await purging.query('BEGIN; DELETE FROM kapsule_data.granule_counts');
      const connections = new Connections(options);
      const numbering = connections.atomically(connections.granuleWrites, 'BEGIN', numberDeletions);
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      await expect.poll(() => query(options, waiting), { timeout: 30_000 }).toHaveLength(1);
      await purging.query('COMMIT');
      expect(await numbering).toBe(true);
      expect(await connections.atomically(connections.granuleWrites, 'BEGIN', numberDeletions)).toBe(false);
      await connections.close();
      await purging.end();
    });
  });

  upgradeContract('PostgreSQL', async () => {
    const options = await aDatabaseWithTables();
    return {
      open: () => open(options),
      async makeEarlier() {
        for (const sql of EARLIER) await query(options, sql);
      },
      makeNewer: async (by) => void (await query(options, NEWER[by])),
      async useAsOtherVersion() {
        const client = new Client(clientConfig(options));
        await client.connect();
        await client.query(`SELECT pg_advisory_lock_shared(${locks.version(1)})`);
        return () => client.end();
      },
      async qlikIdEntries() {
        const rows = await query<{ value: string | null }>(
          options,
          "SELECT keys ->> 'qlikId' AS value FROM kaptain.users",
        );
        return rows.flatMap(({ value }) => value ?? []);
      },
      async stored(noun) {
        const sql = `SELECT doc FROM kaptain."${noun}" ORDER BY id`;
        const rows = await query<{ doc: string }>(options, sql);
        return rows.map(({ doc }) => JSON.parse(doc) as Fields);
      },
      discard: async () => undefined,
    };
  });
});
