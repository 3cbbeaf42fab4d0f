import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { inTurn, isFullTest } from '../../../../../tools/test-size.ts';
import { UnavailableError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { linesOf } from '../../testing/lines.ts';
import { patient } from '../../testing/patient.ts';
import { aUser, someGranules } from '../../testing/samples.ts';
import type { PostgresOptions } from './config.ts';
import { open } from './open.ts';
import { query } from './testing/query.ts';
import { startChild } from './testing/start-child.ts';
import { steps } from './upgrades/migrations.ts';

const KILLS = 20;
const all = { sort: 'key', descending: false, offset: 0, limit: 10 } as const;

describe.runIf(hasPostgres())('a PostgreSQL database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  async function aDatabase(...statements: string[]): Promise<PostgresOptions> {
    const options = { ...patient(server.config), database: `db_${newId()}` };
    await query(server.config, `CREATE DATABASE ${options.database}`);
    if (statements.length > 0) await query(options, statements.join(';'));
    return options;
  }

  /** The content of an empty database after writes. */
  async function use(options: PostgresOptions): Promise<unknown> {
    const store = await open(options);
    await store.users.insert(aUser('ann'));
    await store.granules.upsert('kapsule', [...someGranules(3)]);
    const users = (await store.users.findBy('role', 'USER')).map((user) => user.username);
    const { rows } = await store.granules.page('kapsule', { ...all, q: 'KEY-2' });
    await store.close();
    return [...users, ...rows.map(({ key }) => key)];
  }
  const used = ['ann', 'key-2'];

  /** The refusal to open it: one sentence for a person. */
  async function refusalOf(options: PostgresOptions): Promise<string> {
    const error = await open(options).then(
      () => expect.fail('it was opened'),
      (reason: unknown) => reason as Error,
    );
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error.message).toMatch(/^[A-Z][^\n]+\.$/);
    expect(error.message).not.toMatch(/password=|secret|Error/);
    return error.message;
  }

  it.each(inTurn([...steps.keys()], 0, 3))(
    'is brought up to date when only %i steps were done',
    async (done) => {
      const options = await aDatabase(...steps.slice(0, done).map(({ work }) => String(work)));
      if (done > 0) await query(options, 'UPDATE kaptain.schema_version SET version = $1', [done]);
      expect(await use(options)).toEqual(used);
    },
  );

  it.runIf(isFullTest)(
    `is whole after ${KILLS} processes were killed while they brought it up to date`,
    async () => {
      let finished = 0;
      for (let round = 0; round < KILLS; round += 1) {
        const options = await aDatabase();
        const { lines } = await startChild(options, 'open', 0, (line, kill) => {
          if (line === 'opening') setTimeout(kill, (round * 120) / KILLS);
        });
        if (lines.includes('done')) finished += 1;
        expect(await use(options)).toEqual(used);
      }
      // A quick machine may be done before the later kills; never before the first.
      expect(finished).toBeLessThan(KILLS);
    },
  );

  it('is brought up to date once when three processes try at the same time', async () => {
    const options = await aDatabase();
    const stores = await Promise.all([open(options), open(options), open(options)]);
    await Promise.all(stores.map((store) => store.close()));
    expect(await use(options)).toEqual(used);
  });

  it('is refused when the schema belongs to another program', async () => {
    const options = await aDatabase('CREATE SCHEMA kaptain', 'CREATE TABLE kaptain.theirs (x int)');
    expect(await refusalOf(options)).toMatch(/another program/);
  });

  it('stops to be used by an instance that was cut off while a newer version changed it', async () => {
    const options = await aDatabase();
    const store = await open(options);
    await query(options, "INSERT INTO kaptain.in_force (subject, version) VALUES ('users', 2)");
    await query(
      options,
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND mode = 'ShareLock' AND pid <> pg_backend_pid()
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    const answer = () => store.users.all().then(() => '', String);
    await expect.poll(answer).toMatch(/newer version of the service; install that version/);
    await store.close();
  });

  it('works without the right to create the trigram extension, and uses it when it comes later', async () => {
    const owner = await aDatabase();
    await query(owner, `CREATE ROLE r_${owner.database} LOGIN PASSWORD 'kaptain'`);
    const options = { ...owner, user: `r_${owner.database}` };
    expect(await refusalOf(options)).toMatch(/lacks rights on the database/);
    for (const schema of ['kaptain', 'kapsule_data']) {
      await query(owner, `CREATE SCHEMA ${schema} AUTHORIZATION ${options.user}`);
    }
    expect(await use(options)).toEqual(used);
    const index = "SELECT 1 FROM pg_indexes WHERE indexname = 'granule_trigrams'";
    expect(await query(owner, index)).toEqual([]);
    await query(owner, 'CREATE EXTENSION pg_trgm');
    const store = await open(options);
    expect(await query(owner, index)).toHaveLength(1);
    // Enough rows that the search asks the index instead of reading each.
    await store.granules.bulkUpsert('large', someGranules(20_010));
    const page = await store.granules.page('large', { ...all, q: 'KEY-2000' });
    expect(page).toMatchObject({ total: 11, totalIsExact: true });
    expect((await store.granules.page('large', { ...all, q: '%' })).total).toBe(0);
    const common = await store.granules.page('large', { ...all, q: 'remark', sort: 'user', offset: 30 });
    expect([common.rows.length, common.totalIsExact]).toEqual([10, false]);
    expect(await linesOf(store.granules.stream('large', { q: 'remark 777' }))).toHaveLength(11);
    await store.close();
  });

  it('that can not be used is told in one sentence', async () => {
    const { config } = server;
    expect(await refusalOf({ ...config, port: 1 })).toMatch(/No server answers at .*127\.0\.0\.1:1/);
    expect(await refusalOf({ ...config, password: 'wrong' })).toMatch(/refuses the user kaptain/);
    expect(await refusalOf({ ...config, database: 'nowhere' })).toMatch(/no database nowhere/);
    expect(await refusalOf({ ...config, host: 'no-such-host.invalid' })).toMatch(/no-such-host/);
    expect(await refusalOf({ ...config, useTls: true })).toMatch(/No secure connection/);
  });
});
