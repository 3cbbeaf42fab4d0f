import { setPriority } from 'node:os';
import { timed } from '../granules-store/watch.ts';
import { type Bench, json, send } from './client.ts';
import { qvdUpload } from './qvd.ts';

/** Sends the import at low priority, so that the measurement is of the service, not of the client. */
const rows = Number(process.argv[2]);
setPriority(10);
const upload = { method: 'POST', ...qvdUpload(rows) };

async function importInto({ bench, id }: { bench: Bench; id: string }): Promise<void> {
  const ms = await timed(async () => {
    const answer = await send(bench, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, upload);
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
