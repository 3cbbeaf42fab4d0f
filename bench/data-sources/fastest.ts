import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GranuleInput } from '@kaptain/contract/granule-records';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { from } from 'pg-copy-streams';

/**
 * The bulk load that the driver's documentation recommends as the fastest: without key look-ups, comparisons and history.
 */
export interface Fastest {
  what: string;
  /** Loads into a table of our layout. */
  load(table: string, rows: readonly GranuleInput[]): Promise<void>;
  /** Loads into a bare table with only the key, the fields and the author. */
  loadBare(rows: readonly GranuleInput[]): Promise<void>;
  close(): Promise<void>;
}

interface Config {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

const columns = [
  'OrderId',
  'Comment',
  'Amount',
  'OrderDate',
  'Country',
  'k_id',
  'k_user',
  'k_version',
  'k_change',
  'k_created_at',
  'k_updated_at',
];
const now = new Date().toISOString();
const valuesOf = ({ key, user, data }: GranuleInput, index: number) => [
  key,
  data['Comment'],
  data['Amount'],
  data['OrderDate'],
  data['Country'],
  index.toString(16).padStart(24, '0'),
  user,
  1,
  1,
  now,
  now,
];
const bareColumns = ['OrderId', 'Comment', 'Amount', 'OrderDate', 'Country', 'k_user'];
const bareOf = ({ key, user, data }: GranuleInput) => [
  key,
  data['Comment'],
  data['Amount'],
  data['OrderDate'],
  data['Country'],
  user,
];
const escapedText = (value: unknown) => String(value).replace(/[\\\n\r\t]/g, (sign) => `\\${sign}`);
const escaped = (value: unknown) => (value === undefined ? '\\N' : escapedText(value));

/** One COPY of all rows in one transaction. */
export async function postgresFastest(config: Config): Promise<Fastest> {
  const client = new Client(config);
  await client.connect();
  async function copy(table: string, into: string[], rows: readonly GranuleInput[], take: typeof valuesOf) {
    function* chunks() {
      for (let first = 0; first < rows.length; first += 1_000)
        yield rows
          .slice(first, first + 1_000)
          .map(
            (row, index) =>
              `${take(row, first + index)
                .map(escaped)
                .join('\t')}\n`,
          )
          .join('');
    }
    const names = into.map((name) => `"${name}"`).join(', ');
    await pipeline(Readable.from(chunks()), client.query(from(`COPY "${table}" (${names}) FROM STDIN`)));
  }
  return {
    what: 'one COPY',
    load: (table, rows) => copy(table, columns, rows, valuesOf),
    async loadBare(rows) {
      await client.query('DROP TABLE IF EXISTS bare');
      await client.query(
        'CREATE TABLE bare ("OrderId" text PRIMARY KEY, "Comment" text, "Amount" double precision, "OrderDate" date, "Country" text, k_user text)',
      );
      await copy('bare', bareColumns, rows, bareOf);
    },
    close: () => client.end(),
  };
}

/** Multi-row INSERTs in one transaction; LOAD DATA LOCAL is disabled, because it is a security risk. */
export async function mariadbFastest({ host, port, user, database }: Config): Promise<Fastest> {
  const connection = await createConnection({ host, port, user, database, charset: 'utf8mb4' });
  async function insert(table: string, into: string[], rows: readonly GranuleInput[], take: typeof valuesOf) {
    await connection.beginTransaction();
    for (let first = 0; first < rows.length; first += 5_000) {
      const values = rows.slice(first, first + 5_000).map((row, index) => take(row, first + index));
      await connection.query(`INSERT INTO ${table} (${into.join(', ')}) VALUES ?`, [values]);
    }
    await connection.commit();
  }
  return {
    what: 'INSERTs of 5,000 rows each',
    load: (table, rows) => insert(table, columns, rows, valuesOf),
    async loadBare(rows) {
      await connection.query('DROP TABLE IF EXISTS bare');
      await connection.query(
        'CREATE TABLE bare (OrderId VARCHAR(768) COLLATE utf8mb4_bin PRIMARY KEY, Comment LONGTEXT, Amount DOUBLE, OrderDate DATE, Country LONGTEXT, k_user VARCHAR(255)) CHARACTER SET utf8mb4',
      );
      await insert('bare', bareColumns, rows, bareOf);
    },
    close: () => connection.end(),
  };
}
