import { setPriority } from 'node:os';
import { timed } from '../granules-store/watch.ts';
import { type Bench, json, send } from './client.ts';

interface Upload {
  rows: number;
  method: string;
  type: string;
  body: Buffer;
}

/**
 * Sends one of the files to the service each time the parent process asks for it, and reports how long the import took. At
 * low priority, so that the measurement is of the service, not of the client.
 */
export function uploadWhenAsked(uploads: Upload[]): void {
  setPriority(10);
  const importInto = async ({ bench, id }: { bench: Bench; id: string }) => {
    // The last file is sent as often as it is asked for.
    const next = uploads.length > 1 ? uploads.shift() : uploads[0];
    if (!next) throw new Error('There is no file left.');
    const { rows, ...sent } = next;
    const ms = await timed(async () => {
      const answer = await send(bench, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, sent);
      const stored = await json<{ rows: number }>(answer);
      if (stored.rows !== rows) throw new Error(`The import took ${stored.rows} rows.`);
    });
    process.send?.({ ms });
  };
  process.on('message', (message: { bench: Bench; id: string } | 'stop') => {
    if (message === 'stop') process.exit(0);
    importInto(message).catch((error: unknown) => process.send?.({ failure: String(error) }));
  });
  process.send?.({ ready: true });
}
