import { rmSync } from 'node:fs';
import type { DatabaseName } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mysqlBlock, postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import { hasMariadb, startMariadb } from '../../../../../tools/test-servers/mariadb.ts';
import { hasMongodb, startMongodb } from '../../../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest, sized } from '../../../../../tools/test-size.ts';
import { databaseOf } from '../../base/database/open-store.ts';
import type { Caller } from '../../testing/caller.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { onServer } from '../../testing/service-on.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type TestApp, type TestAppOptions, testApp } from '../../testing/test-app.ts';
import { closeDuringSaves } from '../locks/testing/close-during-saves.ts';

interface Engine {
  options: TestAppOptions;
  stop: () => Promise<unknown>;
}

/** The stores and two data sources. */
const engines: { name: string; database: DatabaseName; isHere: boolean; start: () => Promise<Engine> }[] = [
  {
    name: 'the embedded store',
    database: 'kaptaindb',
    isHere: true,
    async start() {
      const { path: folder } = temporaryFolder();
      return { options: { folder }, stop: async () => rmSync(folder, { recursive: true, force: true }) };
    },
  },
  {
    name: 'PostgreSQL',
    database: 'kaptaindb',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      return {
        options: { database: databaseOf({}, onServer('postgres', server.config)) },
        stop: () => server.stop(),
      };
    },
  },
  {
    name: 'MongoDB',
    database: 'kaptaindb',
    isHere: isFullTest && hasMongodb(),
    async start() {
      const server = await startMongodb();
      const config = { ...server.config, database: `rules_${process.pid}` };
      return {
        options: { database: databaseOf({}, onServer('mongodb', config)) },
        stop: () => server.stop(),
      };
    },
  },
  {
    name: 'PostgreSQL as a data source',
    database: 'postgresql',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      const settingsFile = { settings: {}, postgresql: postgresqlBlock(server) };
      return { options: { settingsFile }, stop: () => server.stop() };
    },
  },
  {
    name: 'MariaDB as a data source',
    database: 'mysql',
    isHere: isFullTest && hasMariadb(),
    async start() {
      const server = await startMariadb();
      const settingsFile = { settings: {}, mysql: mysqlBlock(server) };
      return { options: { settingsFile }, stop: () => server.stop() };
    },
  },
];

const fields = [
  { name: 'Note', type: 'text', required: true, max: 10, pattern: '[a-z ]+' },
  { name: 'Amount', type: 'number', min: 0, decimals: 1 },
  { name: 'Day', type: 'date', max: '2026-12-31' },
  { name: 'State', type: 'choice', choices: [{ value: 'open' }, { value: 'shut' }], default: 'open' },
  { name: 'Origin', type: 'text', writeOnce: true },
];
const good = { Note: 'fine', Amount: 1.5, Day: '2026-02-28', State: 'shut', Origin: 'a' };
/** One bad value for each rule. */
const bad: [field: string, rule: string, value: string | number | null][] = [
  ['Note', 'required', null],
  ['Note', 'max', 'far too long a note'],
  ['Note', 'pattern', 'UPPER'],
  ['Amount', 'type', 'many'],
  ['Amount', 'min', -1],
  ['Amount', 'decimals', 1.25],
  ['Day', 'type', 'tomorrow'],
  ['Day', 'max', '2027-01-01'],
  ['State', 'choices', 'ajar'],
  ['Origin', 'writeOnce', 'b'],
];
type Details = { details?: { count: number; refused: { key: string; field: string; rule: string }[] } };

describe.each(engines.filter(({ isHere }) => isHere))('rules on $name', ({ name, database, start }) => {
  let engine: Engine;
  let app: TestApp;
  let admin: Caller;
  let path: string;
  beforeAll(async () => {
    engine = await start();
    app = await testApp(engine.options);
    admin = await app.asAdmin();
    const table = database === 'kaptaindb' ? {} : { database, tableName: 'ruled' };
    const { body } = await admin.post('/api/kapsule', { name, keyField: 'id', ...table, fields });
    path = `/api/kapsule/${String(body['_id'])}`;
    await save('k', good);
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await engine?.stop();
  });

  const save = (key: string, data: object) =>
    admin.call('PUT', `${path}/granules`, { body: { granules: [{ key, data }] } });
  const refusedBy = ({ status, body }: Awaited<ReturnType<typeof save>>) => [
    status,
    body.code,
    ...((body as Details).details?.refused ?? []).map(({ key, field, rule }) => [key, field, rule]),
  ];
  const stored = async (key: string) =>
    ((await admin.post(`${path}/granules/lookup`, { keys: [key] })).body as { data?: { data: object }[] })
      .data?.[0]?.data;

  it('a save without another one is stored', async () => {
    expect(await stored('k')).toEqual(good);
  });

  it.each(bad)('a save with another %s is refused by %s', async (field, rule, value) => {
    expect(refusedBy(await save('k', { ...good, [field]: value }))).toEqual([
      400,
      'VALUES_REFUSED',
      ['k', field, rule],
    ]);
    expect(await stored('k')).toEqual(good);
  });

  it.each(bad)('an import with another %s is refused by %s', async (field, rule, value) => {
    const row = { ...good, [field]: value };
    const content = qvdBytes(['id', ...Object.keys(row)], [['k', ...Object.values(row)]]);
    const url = `/api/kapsule/import/qvd/data?kapsuleId=${path.split('/').at(-1)}`;
    expect(refusedBy(await upload(admin, url, [{ name: 'a.qvd', field: 'files[]', content }]))).toEqual([
      400,
      'VALUES_REFUSED',
      ['k', field, rule],
    ]);
    expect(await stored('k')).toEqual(good);
  });

  it('a value that two rows of an import write once is refused in the second one, in the dry run too', async () => {
    const row = (key: string, Origin: string) => [key, 'fine', Origin];
    const columns = ['id', 'Note', 'Origin'];
    const contents = [
      qvdBytes(columns, [row('once', 'a'), row('twice', 'a'), row('twice', 'b'), row('twice', 'a')]),
      qvdBytes(columns, [row('once', 'b')]),
    ];
    const url = `/api/kapsule/import/qvd/data?kapsuleId=${path.split('/').at(-1)}`;
    const files = contents.map((content, index) => ({ name: `${index}.qvd`, field: 'files[]', content }));
    const refused = (key: string) => [{ key, field: 'Origin', rule: 'writeOnce', value: 'b' }];
    const told = [
      { rows: 3, refused: { count: 1, first: refused('twice') } },
      { rows: 0, refused: { count: 1, first: refused('once') } },
    ];
    const send = (more: string) => upload(admin, `${url}${more}`, files);
    expect((await send('&dryRun=true')).body['files']).toMatchObject(told);
    expect(refusedBy(await send(''))).toEqual([
      400,
      'VALUES_REFUSED',
      ['twice', 'Origin', 'writeOnce'],
      ['once', 'Origin', 'writeOnce'],
    ]);
    expect([await stored('once'), await stored('twice')]).toEqual([undefined, undefined]);
    expect((await send('&goodRowsOnly=true')).body['files']).toMatchObject(told);
    expect([await stored('once'), await stored('twice')]).toMatchObject([{ Origin: 'a' }, { Origin: 'a' }]);
  });

  it('a new record gets its default, and keeps what another one may not have', async () => {
    expect((await save('new', { Note: 'fine' })).status).toBe(200);
    expect(await stored('new')).toMatchObject({ Note: 'fine', State: 'open' });
  });

  it('an import of the good rows does what its dry run told, and a check of other rules counts what is stored', async () => {
    for (const key of ['same', 'other', 'gone']) await save(key, good);
    await admin.call('DELETE', `${path}/granules`, { body: { keys: ['gone'] } });
    const rows = [
      ['same', 'fine'],
      ['other', 'better'],
      ['gone', 'fine'],
      ['brand new', 'fine'],
      ['bad', 'UPPER'],
    ].map(([key = '', note]) => [key, ...Object.values({ ...good, Note: note ?? '' })]);
    const content = qvdBytes(['id', ...Object.keys(good)], rows);
    const url = `/api/kapsule/import/qvd/data?kapsuleId=${path.split('/').at(-1)}`;
    const send = async (more: string) => {
      const file = { name: 'a.qvd', field: 'files[]', content };
      const { status, body } = await upload(admin, `${url}${more}`, [file]);
      return [status, (body['files'] as { refused: object; changes: object }[])[0]];
    };
    const refused = { count: 1, rows: 1, rules: [{ field: 'Note', rule: 'pattern', count: 1 }] };
    const told = (changes: object) => [200, { rows: 4, refused, changes }];
    expect(await send('&dryRun=true')).toMatchObject(told({ new: 1, changed: 1, unchanged: 1, revived: 1 }));
    expect(await send('&goodRowsOnly=true')).toMatchObject([200, { rows: 4, refused }]);
    expect(await send('&dryRun=true')).toMatchObject(told({ new: 0, changed: 0, unchanged: 4, revived: 0 }));
    expect([await stored('other'), await stored('bad')]).toMatchObject([{ Note: 'better' }, undefined]);

    expect((await admin.get(`${path}/misfits`)).body).toMatchObject({ granules: 0, count: 0, rows: [] });
    const stricter = [{ name: 'Note', type: 'text', max: 4 }, ...fields.slice(1)];
    const { body } = await admin.post(`${path}/fields/check`, { fields: stricter });
    expect(body).toMatchObject({
      granules: 1,
      rules: [{ field: 'Note', rule: 'max', count: 1 }],
      first: [{ key: 'other', value: 'better' }],
    });
  });

  it('a lock closes rows to saves, imports, deletions and restores, whatever they have', async () => {
    const keys = ['shut', 'gone', 'open'];
    for (const key of keys) await save(key, { ...good, State: key === 'open' ? 'open' : 'shut' });
    const remove = (...some: string[]) => admin.call('DELETE', `${path}/granules`, { body: { keys: some } });
    const id = path.split('/').at(-1) ?? '';
    const { text } = await admin.post(`${path}/granules/lookup`, { keys: ['gone'] });
    const [gone] = (JSON.parse(text) as { data: { _id: string }[] }).data;
    await remove('gone');
    const conditions = [{ on: 'field', field: 'State', is: 'equals', value: 'shut' }];
    const close = (locks: object[]) => admin.call('PUT', `${path}/locks`, { body: { locks } });
    const closing = { name: 'Shut', closes: 'when', conditions, openers: 'DELETE' };
    expect((await close([closing])).status).toBe(200);

    expect(refusedBy(await save('shut', { ...good, Amount: 9 }))).toEqual([
      400,
      'VALUES_REFUSED',
      ['shut', 'Amount', 'closed'],
    ]);
    const content = qvdBytes(
      ['id', ...Object.keys(good)],
      [['shut', ...Object.values({ ...good, Amount: 9 })]],
    );
    const url = `/api/kapsule/import/qvd/data?kapsuleId=${id}`;
    expect(refusedBy(await upload(admin, url, [{ name: 'a.qvd', field: 'files[]', content }]))).toEqual([
      400,
      'VALUES_REFUSED',
      ['shut', 'Amount', 'closed'],
    ]);
    expect(refusedBy(await remove('open', 'shut'))).toEqual([400, 'VALUES_REFUSED', ['shut', '', 'closed']]);
    const restore = () => admin.post(`${path}/granules/restore`, { granuleIds: [gone?._id] });
    expect((await restore()).status).toBe(400);
    expect([await stored('shut'), await stored('gone')]).toEqual([good, undefined]);
    expect((await remove('open')).body).toEqual({ deleted: 1 });
    expect((await close([{ ...closing, mayEnter: true }])).status).toBe(200);
    expect((await restore()).body).toEqual({ restored: 1 });
    expect(await stored('gone')).toEqual(good);
    expect((await close([])).status).toBe(200);
    expect((await remove('shut', 'gone')).body).toEqual({ deleted: 2 });
  });

  it('after the answer that closes the kapsule no write lands', async () => {
    const table = database === 'kaptaindb' ? {} : { database, tableName: 'closing' };
    const shape = {
      name: `${name} closing`,
      keyField: 'id',
      ...table,
      fields: [{ name: 'Amount', type: 'number' }],
    };
    const { body } = await admin.post('/api/kapsule', shape);
    const closing = `/api/kapsule/${String(body['_id'])}`;
    const { atClosing, atEnd, refusals } = await closeDuringSaves(admin, closing, {
      writers: sized(100, 10),
    });
    expect([...refusals]).toEqual(['closed']);
    expect(atEnd).toEqual(atClosing);
  });
});
