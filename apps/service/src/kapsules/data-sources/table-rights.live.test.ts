import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { connectTo } from '../../../../../tools/test-servers/postgres-client.ts';
import type { Caller } from '../../testing/caller.ts';
import { grant } from '../../testing/kapsules.ts';
import { upload } from '../../testing/multipart.ts';
import { kap, SourceApp } from '../../testing/source-app.ts';
import { PASSWORD } from '../../testing/test-app.ts';

describe.runIf(hasPostgres())('the columns of tables in a data source', () => {
  const policy = { askAgain: false };
  let source: SourceApp;
  let admin: Caller;
  let vera: Caller;
  let staff: string;

  /** A kapsule of an ADMIN, on which vera has DELETE. */
  async function granted(content: string): Promise<string> {
    const id = await source.created(admin, content);
    const record = await source.app.store.kapsules.get(id);
    await grant(source.app.store, 'vera', ['DELETE'], record ? [record] : []);
    return id;
  }
  const fieldsOf = async (id: string) => (await source.kapsule(admin, id))?.fields.map(({ name }) => name);

  beforeAll(async () => {
    source = await SourceApp.start(await startPostgres(), postgresqlBlock, connectTo, policy);
    admin = source.admin;
    vera = await source.app.asUser('vera', { isCreate: true });
    await source.sql(
      'CREATE TABLE staff (id text PRIMARY KEY, remark text, salary integer, "SSN" text); INSERT INTO staff VALUES (1, NULL, 100, 7)',
    );
    staff = await granted(kap('Staff', 'staff', ['remark']));
  });
  afterAll(() => source?.stop());

  it.each([['salary'], ['SALARY'], ['ssn'], ['SSN'], ['brand_new']])(
    'of a table that the service did not make become fields by an ADMIN alone: %s',
    async (field) => {
      const before = await source.columnsOf('staff');
      const { status, body } = await source.replace(vera, staff, kap('Staff', 'staff', ['remark', field]));
      expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
      expect(body.message).toContain('Only an ADMIN may make its columns fields.');
      expect([await source.columnsOf('staff'), await fieldsOf(staff)]).toEqual([before, ['remark']]);
    },
  );

  it('are marked in the answer, so that the console knows who may replace the structure', async () => {
    const own = await source.created(vera, kap('Own', 'veras_notes', ['note']));
    expect(await source.kapsule(vera, own)).toMatchObject({ tableMadeByService: true });
    expect(await source.kapsule(vera, staff)).toMatchObject({ tableMadeByService: false });
  });

  it.each([
    'staff',
    'STAFF',
    'a_view',
    'a_materialized_view',
    'a_partitioned_table',
    'a_foreign_type',
    'a_sequence',
  ])('are out of reach of a USER who creates: %s', async (table) => {
    if (table === 'a_view') {
      await source.sql('CREATE VIEW a_view AS SELECT * FROM staff');
      await source.sql('CREATE MATERIALIZED VIEW a_materialized_view AS SELECT * FROM staff');
      await source.sql('CREATE TABLE a_partitioned_table (id text, salary text) PARTITION BY LIST (id)');
      await source.sql('CREATE TYPE a_foreign_type AS (id text)');
      await source.sql('CREATE SEQUENCE a_sequence');
    }
    const kapsules = (await source.app.store.kapsules.all()).length;
    const answer = await source.importKap(vera, kap('Reach', table, ['salary']));
    expect(answer.text).toMatch(/(The table|The name) \w+ (exists|is taken) already/);
    expect(await source.app.store.kapsules.all()).toHaveLength(kapsules);
    const kept = await source.sql(`SELECT 1 FROM kaptain_tables WHERE k_table = '${table}'`);
    expect(kept).toHaveLength(table === 'staff' ? 1 : 0);
  });

  it('stay unchanged in a table that another program creates under the name of a refused creation', async () => {
    await source.importKap(vera, kap('Reach', 'a_view', ['salary']));
    await source.sql('DROP VIEW a_view; CREATE TABLE a_view (id text PRIMARY KEY, salary text)');
    const id = await granted(kap('View', 'a_view', ['salary']));
    const refused = await source.remove(vera, [id], true);
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(await source.columnsOf('a_view')).toEqual(['id', 'salary']);
  });

  it('of a table that the service made are added by a USER, but existing ones are not used', async () => {
    const id = await source.created(vera, kap('Notes', 'notes', ['note']));
    await source.sql('ALTER TABLE notes ADD COLUMN salary integer');
    const wide = await source.replace(vera, id, kap('Notes', 'notes', ['note', 'due', 'Salary']));
    expect([wide.status, wide.body.message]).toEqual([
      403,
      'PostgreSQL: The table notes has the column Salary already. Only an ADMIN may make its columns fields.',
    ]);
    expect(await source.columnsOf('notes')).toEqual(['id', 'note', 'salary']);
    expect((await source.replace(vera, id, kap('Notes', 'notes', ['note', 'due']))).status).toBe(200);
    expect(await fieldsOf(id)).toEqual(['note', 'due']);
    expect((await source.replace(admin, id, kap('Notes', 'notes', ['note', 'salary']))).status).toBe(200);
    expect(await fieldsOf(id)).toEqual(['note', 'salary']);
  });

  it('that exist become fields by an ADMIN who has proven who they are, while the settings ask; others do without', async () => {
    await source.sql('CREATE TABLE payroll (id text PRIMARY KEY, remark text, salary integer)');
    const id = await source.created(admin, kap('Proofs', 'proofs', ['note']));
    await source.sql('ALTER TABLE proofs ADD COLUMN salary integer');
    const structure = (name: string, fields: readonly string[]) => ({
      name,
      table: '',
      keyField: 'id',
      fields: fields.map((field) => ({ name: field, type: 'text' })),
    });
    const update = (fields: readonly string[]) =>
      admin.call('PUT', `/api/kapsule/${id}`, { body: structure('Proofs', fields) });
    const create = (name: string, tableName: string) =>
      admin.post('/api/kapsule', { ...structure(name, ['remark']), database: 'postgresql', tableName });
    const several = (content: string) =>
      upload(admin, '/api/kapsule/import/kapsules', [
        { name: 'broken.kap', content: 'no JSON' },
        { name: 'new.kap', content: kap('New beside payroll', 'new_beside', ['remark']) },
        { name: 'a.kap', content },
      ]);
    const adopting = [
      () => update(['note', 'Salary']),
      () => source.replace(admin, id, kap('Proofs', 'proofs', ['note', 'salary'])),
      () => several(kap('Payroll 1', 'PAYROLL', ['remark'])),
      () => create('Payroll 2', 'payroll'),
    ];
    const everyday = [
      () => update(['note', 'more']),
      () => source.replace(admin, id, kap('Proofs', 'proofs', ['more'])),
      () => several(kap('Payroll of our own', 'payroll_of_our_own', ['remark'])),
      () => create('Fresh', 'fresh'),
    ];

    source.app.advance(20 * 60_000);
    policy.askAgain = true;
    const kapsules = (await source.app.store.kapsules.all()).length;
    for (const adopt of adopting) {
      const { status, body } = await adopt();
      expect([status, body.code]).toEqual([403, 'PROOF_NEEDED']);
    }
    expect(await source.app.store.kapsules.all()).toHaveLength(kapsules);
    expect(await fieldsOf(id)).toEqual(['note']);

    for (const call of everyday) expect((await call()).status).toBe(200);
    expect((await admin.post('/api/account/proof', { password: PASSWORD })).status).toBe(200);
    for (const adopt of adopting) expect((await adopt()).status).toBe(200);
    policy.askAgain = false;
  });

  it('taken from a kapsule by an ADMIN are not restored by a replacement in progress', async () => {
    const id = await source.created(vera, kap('Race', 'race', ['note', 'secret']));
    const before = await source.app.store.kapsules.get(id);
    const other = await source.connect();
    await other.query('BEGIN; LOCK TABLE race IN SHARE MODE');
    const replacing = source.replace(vera, id, kap('Race', 'race', ['note', 'secret', 'more']));
    const waiting = () => source.sql('SELECT 1 FROM pg_locks WHERE NOT granted');
    await expect.poll(waiting).toHaveLength(1);
    const fields = before?.fields.filter(({ name }) => name === 'note') ?? [];
    await source.app.store.kapsules.patch(id, { fields });
    await other.query('COMMIT');
    await other.end();
    expect((await replacing).body).toMatchObject({ statusCode: 412, code: 'STALE' });
    expect(await fieldsOf(id)).toEqual(['note']);
    expect((await source.replace(vera, id, kap('Race', 'race', ['note', 'secret']))).status).toBe(403);
  });

  it('of another kapsule on the same table are in no history, search, conflict or export', async () => {
    const mine = await granted(kap('Mine', 'shared', ['note']));
    const theirs = await source.created(admin, kap('Theirs', 'shared', ['secret']));
    const write = (id: string, data: object, version?: number) =>
      admin.call('PUT', `/api/kapsule/${id}/granules`, {
        body: { granules: [{ key: 'a', data, ...(version !== undefined && { version }) }] },
      });
    await write(mine, { note: 'one' });
    await write(theirs, { secret: 'hidden 1' });
    await write(theirs, { secret: 'hidden 2' });
    const page = (query: string) => vera.get(`/api/kapsule/${mine}/sql/read/internal?page=1${query}`);
    const [granule] = (await page('')).body['data'] as { _id: string }[];
    const texts = [
      (await vera.get(`/api/kapsule/${mine}/granules/${granule?._id}/history`)).text,
      (await page('')).text,
      (await write(mine, { note: 'x' }, 1)).text,
      (await vera.get(`/api/kapsule/${mine}/sql/read/internal`)).text,
    ];
    expect(texts.join()).toContain('one');
    expect(texts.join()).not.toMatch(/hidden|secret/);
    expect((await page('&q=hidden')).body['total']).toBe(0);
    await source.remove(admin, [theirs], false);
    expect((await page('&q=hidden')).body['total']).toBe(0);
  });
});
