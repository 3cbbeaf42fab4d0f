import { getPriority, setPriority } from 'node:os';
import { QvdWriter } from '@kaptain/qvd';
import { type Bench, json, send } from '../granules-http/client.ts';
import { comments } from '../granules-store/rows.ts';
import { timed } from '../granules-store/watch.ts';

/** Sends QVD files of eight columns, of which the kapsule has four, at low priority: `postgres-uploader.ts <rows>…`. */
setPriority(Math.min(19, getPriority() + 10));
const names = ['Key', 'Comment', 'Region', 'Amount', 'Quarter', 'Status', 'Year', 'Source'];

function upload(rows: number, place: number) {
  const writer = new QvdWriter({ tableName: 'Comments', columns: names.map((name) => ({ name })) });
  let n = 0;
  for (const { key, data } of comments(rows, 'ORD')) {
    const { Comment, Amount, Status } = data as { Comment: string; Amount: number; Status: string };
    // The rows of a later file differ from those of an earlier one with the same keys.
    const comment = place === 0 ? Comment : `${Comment} ${place}`;
    writer.addRow([key, comment, `Region ${n % 40}`, Amount, n % 4, Status, 2000 + (n % 27), 'SAP']);
    n += 1;
  }
  const head = '--b\r\ncontent-disposition: form-data; name="files[]"; filename="comments.qvd"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), ...writer.chunks(), Buffer.from('\r\n--b--\r\n')]);
  return { rows, method: 'POST', type: 'multipart/form-data; boundary=b', body };
}

const uploads = process.argv.slice(2).map((rows, place) => upload(Number(rows), place));

async function importInto({ bench, id }: { bench: Bench; id: string }): Promise<void> {
  const next = uploads.shift();
  if (!next) throw new Error('There is no file left.');
  const { rows, ...sent } = next;
  const ms = await timed(async () => {
    const answer = await send(bench, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, sent);
    const stored = await json<{ rows: number }>(answer);
    if (stored.rows !== rows) throw new Error(`The import took ${stored.rows} rows.`);
  });
  process.send?.({ ms });
}

process.on('message', (message: { bench: Bench; id: string } | 'stop') => {
  if (message === 'stop') process.exit(0);
  importInto(message).catch((error: unknown) => process.send?.({ failure: String(error) }));
});
process.send?.({ ready: true });
