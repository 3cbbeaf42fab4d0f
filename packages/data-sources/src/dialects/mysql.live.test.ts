import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mysqlBlock } from '../../../../tools/test-servers/blocks.ts';
import { hasMariadb, type MariadbServer, startMariadb } from '../../../../tools/test-servers/mariadb.ts';
import type { DataSource } from '../data-source.ts';
import { openDataSource } from '../open.ts';
import { dataSourceContract } from '../testing/data-source.contract.ts';
import { exactValuesContract } from '../testing/exact-values.contract.ts';
import { existingTablesContract } from '../testing/existing-tables.contract.ts';
import { faultsContract } from '../testing/faults.contract.ts';
import { fieldFiltersContract } from '../testing/field-filters.contract.ts';
import { largeCellsContract } from '../testing/large-cells.contract.ts';
import { aBinding, row, someRows, write } from '../testing/samples.ts';
import { sharedTablesContract } from '../testing/shared-tables.contract.ts';

describe.runIf(hasMariadb())('a data source on a real MariaDB', () => {
  let server: MariadbServer;
  let source: DataSource;
  const open = (change: object = {}) => {
    const block = { ...mysqlBlock(server), MYSQL_POOL: 4, ...change };
    return openDataSource('mysql', block, { allowedFolders: [] });
  };
  async function other() {
    const { host, port, user, database } = server.config;
    const connection = await createConnection({ host, port, user, database, charset: 'utf8mb4' });
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    return connection;
  }
  /** One connection for all statements of other programs, and a new one after the server was killed. */
  let theirs: Connection | undefined;
  async function sql(text: string): Promise<unknown[]> {
    if (!theirs) {
      theirs = await other();
      theirs.on('error', () => (theirs = undefined));
    }
    return (await theirs.query<RowDataPacket[]>(text))[0];
  }
  beforeAll(async () => {
    server = await startMariadb();
    source = open();
  });
  afterAll(async () => {
    await source?.close();
    await theirs?.end();
    await server?.stop();
  });
  dataSourceContract(() => source);
  sharedTablesContract(() => source);
  fieldFiltersContract(() => source);
  existingTablesContract(() => source, sql, {
    generated: 'AS (price * 2) STORED',
    bytes: 'blob',
    timestamp: 'datetime',
  });
  largeCellsContract(() => source, sql);
  exactValuesContract(() => source, sql, { timestamp: 'datetime(6)', double: 'double' });
  faultsContract({
    source: () => source,
    server: () => server,
    open,
    names: {
      password: 'MYSQL_PASSWORD',
      port: 'MYSQL_PORT',
      host: 'MYSQL_SERVER',
      database: 'MYSQL_DATABASE',
      user: 'MYSQL_USER',
    },
    async addReader(name, password) {
      await sql(`CREATE USER ${name} IDENTIFIED BY '${password}'`);
      await sql(`GRANT SELECT ON customer.* TO ${name}`);
    },
    other,
    waiting: () => sql(`SELECT trx_id FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'`),
    quote: (name) => `\`${name}\``,
    isSlow: true,
  });

  it('takes a key of characters that its column lacks for none of its rows', async () => {
    await sql('CREATE TABLE latin (id varchar(9) CHARACTER SET latin1 PRIMARY KEY, note varchar(9))');
    await sql(`INSERT INTO latin VALUES ('??', 'theirs')`);
    const binding = { table: 'latin', keyField: 'id', fields: [{ name: 'note', type: 'text' as const }] };
    await source.ensureTable(binding);
    expect(await source.lookup(binding, ['東京', '??'])).toMatchObject([null, { key: '??' }]);
    await expect(write(source, binding, [row('東京', { note: 'x' })])).rejects.toMatchObject({
      category: 'value',
    });
    expect(await sql('SELECT * FROM latin')).toMatchObject([{ id: '??', note: 'theirs' }]);
  });

  it('stores two keys of one request as one row when its column takes them for the same', async () => {
    await sql('CREATE TABLE cased (id varchar(9) PRIMARY KEY, note varchar(9))');
    const binding = { table: 'cased', keyField: 'id', fields: [{ name: 'note', type: 'text' as const }] };
    await source.ensureTable(binding);
    const rows = [row('New', { note: 'first' }), row('NEW', { note: 'last' })];
    const [first, last] = await write(source, binding, rows);
    expect([first?.version, last?.version, last?.id]).toEqual([1, 2, first?.id]);
    await source.bulkUpsert(binding, [row('b', { note: 'x' }), row('B', { note: 'y' })]);
    expect(await sql('SELECT note FROM cased ORDER BY id')).toEqual([{ note: 'y' }, { note: 'last' }]);
  });

  it('refuses what ENUM and YEAR would take for something else, and tells a refusal from an outage', async () => {
    await sql(
      `CREATE TABLE choices (id varchar(9) PRIMARY KEY, size enum('low', 'high'), made year, flag tinyint(1))`,
    );
    await sql(`INSERT INTO choices VALUES ('A', 'low', 2020, 5)`);
    const fields = [
      { name: 'size', type: 'text' as const },
      { name: 'made', type: 'number' as const },
      { name: 'flag', type: 'boolean' as const },
    ];
    const binding = { table: 'choices', keyField: 'id', fields };
    await source.ensureTable(binding);
    for (const bad of [{ size: '2' }, { size: 'none' }, { made: 70 }])
      await expect(write(source, binding, [row('B', bad)])).rejects.toMatchObject({ category: 'value' });
    await sql(`CREATE TABLE chosen (id enum('a', 'b') PRIMARY KEY, note varchar(9))`);
    const chosen = { table: 'chosen', keyField: 'id', fields: [{ name: 'note', type: 'text' as const }] };
    await source.ensureTable(chosen);
    await expect(write(source, chosen, [row('1', {})])).rejects.toMatchObject({ category: 'value' });
    await write(source, binding, [row('A', { size: 'high', made: 2020, flag: true })]);
    expect(await sql('SELECT size, flag FROM choices')).toEqual([{ size: 'high', flag: 5 }]);
  });

  it('sends no packet larger than the server accepts', async () => {
    const binding = aBinding();
    await source.ensureTable(binding);
    const texts = Array.from({ length: 30 }, (_, n) => row(`large-${n}`, { Comment: '界'.repeat(100_000) }));
    expect(await source.bulkUpsert(binding, [...someRows(2_000), ...texts])).toBe(2_030);
    expect((await source.counts(binding)).total).toBe(2_030);
  });

  it('opens as many connections as MYSQL_POOL says, and closes them', async () => {
    // A user of its own, so that connections of other tests are not counted.
    await sql("CREATE USER pooled IDENTIFIED BY 'pooled'");
    await sql('GRANT ALL ON customer.* TO pooled');
    const two = open({ MYSQL_POOL: 2, MYSQL_USER: 'pooled', MYSQL_PASSWORD: 'pooled' });
    const binding = aBinding();
    await two.ensureTable(binding);
    await Promise.all(Array.from({ length: 12 }, () => two.counts(binding)));
    const count = async () =>
      (
        (await sql(`SELECT count(*) AS c FROM information_schema.processlist WHERE user = 'pooled'`)) as {
          c: number;
        }[]
      )[0]?.c;
    expect(await count()).toBe(2);
    await two.close();
    await expect.poll(count).toBe(0);
    await expect(two.ping()).rejects.toMatchObject({ category: 'refused' });
  });
});
