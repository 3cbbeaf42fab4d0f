import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/**
 * Handlers with which the service's export is compared: they send the rows of a kapsule in the order of the export, without
 * login. `bare.ts embedded FILE` or `bare.ts postgres URL`. At `/csv/KAPSULE` the database formats the CSV, and its bytes
 * are sent as they are. At `/joined/KAPSULE` the columns are joined without quotes, and the data stays JSON.
 */
const [kind, fileOrUrl = ''] = process.argv.slice(2);
const SLICE = 1_000;
const FIELDS = ['Comment', 'Amount', 'Status'];

const quoted = (value: string) => `'"' || replace(coalesce(${value}, ''), '"', '""') || '"'`;
const fieldsOf = (cell: (field: string) => string) => FIELDS.map(cell);

const sqliteLines = (cells: readonly string[]) => `
  SELECT CAST(group_concat(line, '') AS BLOB) AS lines, max(change) AS last FROM (
    SELECT ${cells.join(" || ',' || ")} || char(13, 10) AS line, g.change AS change
    FROM granule_counts c CROSS JOIN granules g ON g.kapsule = c.kapsule
    WHERE c.kapsuleId = ? AND g.change > ? ORDER BY g.change LIMIT ${SLICE}
  )`;
const SQLITE = {
  joined: sqliteLines(['g.key', 'g.data', 'g.user', 'g.createdAt', 'g.updatedAt']),
  csv: sqliteLines([
    quoted('g.key'),
    ...fieldsOf((field) => quoted(`g.data ->> '${field}'`)),
    quoted('g.user'),
    'g.createdAt',
    'g.updatedAt',
  ]),
};

/** A place is the number of a kapsule, a colon and the key. */
const copied = (kapsuleId: string, cells: readonly string[], format: string) => `
  COPY (
    SELECT substr(g.place, strpos(g.place, ':') + 1), ${cells.join(', ')}, g."user", g.created_at, g.updated_at
    FROM kapsule_data.granules g
    WHERE g.kapsule = (SELECT kapsule FROM kapsule_data.granule_counts WHERE kapsule_id = '${kapsuleId}')
      AND g.deleted_at IS NULL ORDER BY g.change
  ) TO STDOUT ${format}`;
const POSTGRES = {
  joined: (id: string) => copied(id, ['g.data'], ''),
  csv: (id: string) =>
    copied(
      id,
      fieldsOf((field) => `g.data::json ->> '${field}'`),
      'WITH (FORMAT csv)',
    ),
};

type Format = 'joined' | 'csv';

async function sendEmbedded(kapsuleId: string, format: Format, answer: ServerResponse): Promise<void> {
  using database = new DatabaseSync(fileOrUrl, { readOnly: true });
  const slice = database.prepare(SQLITE[format]);
  for (let after = 0; ; ) {
    const { lines, last } = slice.get(kapsuleId, after) as { lines: Uint8Array | null; last: number };
    if (lines === null) break;
    if (!answer.write(lines)) await once(answer, 'drain');
    after = last;
  }
  answer.end();
}

async function sendPostgres(kapsuleId: string, format: Format, answer: ServerResponse): Promise<void> {
  const client = new Client({ connectionString: fileOrUrl });
  await client.connect();
  await client.query('SET jit = off; SET enable_seqscan = off; SET enable_sort = off');
  await pipeline(client.query(copyTo(POSTGRES[format](kapsuleId))), answer);
  await client.end();
}

const send = kind === 'postgres' ? sendPostgres : sendEmbedded;
const server = createServer((request, answer) => {
  const [, format = '', kapsuleId = ''] = (request.url ?? '').split('/');
  void send(kapsuleId, format === 'csv' ? 'csv' : 'joined', answer);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
let processor = process.cpuUsage();
process.on('message', (message) => {
  if (message === 'stop') process.exit(0);
  const { user, system } = process.cpuUsage(processor);
  processor = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
