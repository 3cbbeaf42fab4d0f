import type { FieldType } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { connectTo } from '../../../../../tools/test-servers/postgres-client.ts';
import { type Caller, callerOf } from '../../testing/caller.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

describe.runIf(hasPostgres())('comments in a table of a data source', () => {
  let postgres: PostgresServer;
  let app: TestApp;
  let admin: Caller;
  let server: Caller;
  let ann: Caller;
  beforeAll(async () => {
    postgres = await startPostgres();
    app = await testApp({
      settings: { apiKey: true },
      settingsFile: { settings: {}, postgresql: postgresqlBlock(postgres) },
    });
    admin = await app.asAdmin();
    const apikey = String((await admin.get('/api/privatekey/get')).body['apikey']);
    await admin.post('/api/privatekey/create', { name: 'server', apikey });
    server = callerOf(app.http, apikey);
    ann = await app.asUser('ann', { qlikId: 'CORP\\ann', role: 'ADMIN' });
    // From now on the servers write with the name of an account that existed before.
    app.advance(60_000);
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  async function bind(name: string, tableName: string, field: string): Promise<string> {
    const fields: { name: string; type: FieldType }[] = [{ name: field, type: 'thread' }];
    const structure = { name, keyField: 'id', database: 'postgresql', tableName, fields };
    const { status, body } = await admin.post('/api/kapsule', structure);
    expect([status, body.message]).toEqual([200, undefined]);
    return String(body['_id']);
  }
  const body = (field: string) => ({ key: 'A', field, id: 'comment00001' });
  const add = (kapsule: string, field: string) =>
    server.call('POST', `/api/kapsule/${kapsule}/granules/thread`, {
      body: { ...body(field), text: 'x' },
      headers: { 'x-kaptain-user': 'CORP\\ann' },
    });
  /** The ids that the service calls the caller's own, and the status of an edit. */
  async function rightsOn(kapsule: string, field: string) {
    const path = `/api/kapsule/${kapsule}/granules/thread`;
    const shown = await ann.get(`${path}?${new URLSearchParams({ key: 'A', field })}`);
    const edit = { ...body(field), text: 'y', was: 'x' };
    return [shown.body['own'], (await ann.call('PUT', path, { body: edit })).status];
  }
  const FOREIGN = [[], 403];
  async function purge(kapsule: string, withTable = false): Promise<void> {
    const deleted = { kapsuleIds: [kapsule], deleteTable: withTable, dropNow: withTable };
    const done = [await admin.call('DELETE', '/api/kapsule/sql', { body: deleted })];
    if (!withTable) done.push(await admin.call('DELETE', `/api/kapsule/deleted/${kapsule}`));
    for (const { status } of done) expect(status).toBe(200);
  }

  it('have one author through every kapsule on the table, in any spelling, as long as the table exists', async () => {
    const first = await bind('First', 'talks', 'talk');
    const second = await bind('Second', 'talks', 'talk');
    const spelled = await bind('Spelled', 'TALKS', 'Talk');
    expect((await add(first, 'talk')).status).toBe(200);
    expect(await rightsOn(first, 'talk')).toEqual(FOREIGN);
    expect(await rightsOn(second, 'talk')).toEqual(FOREIGN);
    expect(await rightsOn(spelled, 'Talk')).toEqual(FOREIGN);
    for (const kapsule of [first, spelled]) await purge(kapsule);
    expect(await rightsOn(second, 'talk')).toEqual(FOREIGN);
    await purge(second);
    const later = await bind('Later', 'talks', 'talk');
    expect(await rightsOn(later, 'talk')).toEqual(FOREIGN);
    await purge(later, true);
    expect(await app.store.commentAuthors.all()).toEqual([]);
  });

  it('have their authors when the data source fails to commit a removal', async () => {
    const kapsule = await bind('Failing', 'failing', 'talk');
    expect((await add(kapsule, 'talk')).status).toBe(200);
    const sql = await connectTo(postgres);
    await sql.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE CONSTRAINT TRIGGER at_commit AFTER UPDATE ON failing DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION fail()`);
    const change = (method: 'PUT' | 'DELETE', more: object = {}) =>
      server.call(method, `/api/kapsule/${kapsule}/granules/thread`, {
        body: { ...body('talk'), ...more },
        headers: { 'x-kaptain-user': 'CORP\\ann' },
      });
    expect((await change('DELETE')).status).not.toBe(200);
    await sql.query('DROP TRIGGER at_commit ON failing');
    await sql.end();
    expect(await rightsOn(kapsule, 'talk')).toEqual(FOREIGN);
    expect((await change('PUT', { text: 'y', was: 'x' })).status).toBe(200);
    expect((await change('DELETE')).status).toBe(200);
  });
});
