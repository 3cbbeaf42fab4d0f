import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RowInput } from '@kaptain/data-sources';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { Client } from 'pg';
import { from } from 'pg-copy-streams';

/** The way in that the driver's own documentation calls the fastest, into a plain table with the same fields and key. */
export interface Fastest {
  what: string;
  load(rows: readonly RowInput[]): Promise<void>;
  close(): Promise<void>;
}

interface Config {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

const valuesOf = ({ key, user, data }: RowInput) => [
  key,
  user,
  data['Comment'],
  data['Amount'],
  data['Status'],
];
const escaped = (value: unknown) => String(value).replace(/[\\\n\r\t]/g, (sign) => `\\${sign}`);

/** One COPY of all rows in one transaction. */
export async function postgresFastest(config: Config): Promise<Fastest> {
  const client = new Client(config);
  await client.connect();
  return {
    what: 'one COPY',
    async load(rows) {
      await client.query('DROP TABLE IF EXISTS plain');
      await client.query(
        'CREATE TABLE plain ("OrderId" text PRIMARY KEY, author text, "Comment" text, "Amount" double precision, "Status" text)',
      );
      function* chunks() {
        for (let first = 0; first < rows.length; first += 200)
          yield rows
            .slice(first, first + 200)
            .map((row) => `${valuesOf(row).map(escaped).join('\t')}\n`)
            .join('');
      }
      await pipeline(Readable.from(chunks()), client.query(from('COPY plain FROM STDIN')));
    },
    close: () => client.end(),
  };
}

/** INSERTs of many rows in one transaction: LOAD DATA LOCAL would be a hole and is switched off. */
export async function mariadbFastest({ host, port, user, database }: Config): Promise<Fastest> {
  const connection = await createConnection({ host, port, user, database, charset: 'utf8mb4' });
  return {
    what: 'INSERTs of 5,000 rows each',
    async load(rows) {
      await connection.query<RowDataPacket[]>('DROP TABLE IF EXISTS plain');
      await connection.query(
        'CREATE TABLE plain (OrderId VARCHAR(768) COLLATE utf8mb4_bin PRIMARY KEY, author VARCHAR(255), Comment LONGTEXT, Amount DOUBLE, Status LONGTEXT) CHARACTER SET utf8mb4',
      );
      await connection.beginTransaction();
      for (let first = 0; first < rows.length; first += 5_000)
        await connection.query('INSERT INTO plain VALUES ?', [
          rows.slice(first, first + 5_000).map(valuesOf),
        ]);
      await connection.commit();
    },
    close: () => connection.end(),
  };
}
