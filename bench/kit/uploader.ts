import { setPriority } from 'node:os';
import { type Caller, json, send } from './client.ts';
import { qvdUpload } from './qvd-file.ts';
import { timed } from './times.ts';

/**
 * Sends one QVD file for each number of rows, `uploader.ts <rows>…`, each time the parent process asks for it, and reports how
 * long the import took. Each file has other values for the same keys. A process of its own at low priority, so that the
 * measurement is of the service, not of the client.
 */
setPriority(10);
const uploads = process.argv.slice(2).map((rows, edition) => ({
  rows: Number(rows),
  method: 'POST',
  ...qvdUpload(Number(rows), edition),
}));

async function importInto({ caller, id }: { caller: Caller; id: string }): Promise<void> {
  const next = uploads.shift();
  if (!next) throw new Error('There is no file left.');
  const { rows, ...sent } = next;
  const ms = await timed(async () => {
    const answer = await send(caller, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, sent);
    const stored = await json<{ rows: number }>(answer);
    if (stored.rows !== rows) throw new Error(`The import took ${stored.rows} rows.`);
  });
  process.send?.({ ms });
}

process.on('message', (message: { caller: Caller; id: string } | 'stop') => {
  if (message === 'stop') process.exit(0);
  importInto(message).catch((error: unknown) => process.send?.({ failure: String(error) }));
});
process.send?.('ready');
