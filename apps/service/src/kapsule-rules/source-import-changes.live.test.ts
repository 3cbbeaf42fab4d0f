import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../../tools/test-servers/postgres.ts';
import type { Caller, TestAnswer } from '../testing/caller.ts';
import { upload } from '../testing/multipart.ts';
import { qvdBytes } from '../testing/qvd.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

describe.runIf(hasPostgres())('during an import into a data source', () => {
  let server: PostgresServer;
  let app: TestApp;
  let admin: Caller;
  let other: Client;
  beforeAll(async () => {
    server = await startPostgres();
    const { host, port, user, password, database } = server.config;
    const postgresql = {
      POSTGRE_SERVER: host,
      POSTGRE_PORT: port,
      POSTGRE_USER: user,
      POSTGRE_PASSWORD: password,
      POSTGRE_DATABASE: database,
    };
    app = await testApp({ settingsFile: { settings: {}, postgresql } });
    admin = await app.asAdmin();
    other = new Client(server.config);
    await other.connect();
  }, 60_000);
  afterAll(async () => {
    await other?.end();
    await app?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  const kap = (tableName: string) =>
    JSON.stringify({
      format: 'kap',
      version: 1,
      kapsule: {
        name: tableName,
        keyField: 'OrderId',
        database: 'postgresql',
        tableName,
        fields: [{ name: 'Comment', type: 'text' }],
      },
    });

  async function created(tableName: string): Promise<string> {
    const file = { name: 'a.kap', content: kap(tableName) };
    const { text } = await upload(admin, '/api/kapsule/import/kapsules', [file]);
    return (JSON.parse(text) as { kapsuleId: string }[])[0]?.kapsuleId ?? '';
  }

  /** Another program holds the table, so that the import waits while something else happens. */
  async function during(id: string, table: string, work: () => Promise<unknown>): Promise<TestAnswer> {
    await other.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    const content = qvdBytes(['OrderId', 'Comment'], [['A', 'one']]);
    const importing = upload(admin, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, [
      { name: 'a.qvd', field: 'files[]', content },
    ]);
    const waiting = async () =>
      Number((await other.query('SELECT count(*) FROM pg_locks WHERE NOT granted')).rows[0].count);
    await expect.poll(waiting, { timeout: 20_000 }).toBeGreaterThan(0);
    await work();
    await other.query('COMMIT');
    return importing;
  }

  const rowsIn = async (table: string) =>
    Number((await other.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

  it('the deletion of the kapsule is what the import is told, and the table is as it was', async () => {
    const id = await created('deleted_meanwhile');
    const remove = { body: { kapsuleIds: [id], deleteTable: false } };
    const { status, body } = await during(id, 'deleted_meanwhile', async () => {
      expect((await admin.call('DELETE', '/api/kapsule/sql', remove)).status).toBe(200);
    });
    expect([status, body.message]).toEqual([
      409,
      'deleted_meanwhile was deleted while the files were imported. Nothing was stored.',
    ]);
    expect(await rowsIn('deleted_meanwhile')).toBe(0);
  });

  it('another structure of the kapsule refuses the import', async () => {
    const id = await created('replaced_meanwhile');
    // The end of a replacement, whose work on the table was done before the import took the table's turn.
    const fields = [{ _id: 'f', name: 'Comment', type: 'list' as const }];
    const { status, body } = await during(id, 'replaced_meanwhile', () =>
      app.store.kapsules.patch(id, { fields }),
    );
    expect([status, body.message]).toEqual([409, expect.stringContaining('was replaced while the files')]);
    expect(await rowsIn('replaced_meanwhile')).toBe(0);
  });
});
