import { setImmediate } from 'node:timers/promises';
import { AppError } from '../../base/errors/app-error.ts';
import { EXPORT_CHUNKS_AHEAD } from '../tuning.ts';
import type { Lines } from './lines.ts';
import type { TableOptions } from './table-options.ts';
import { tableThreads } from './table-threads.ts';

const requirePresent = (gone: AbortSignal): void => {
  if (gone.aborted) throw new AppError('BAD_REQUEST', 'The client has disconnected.');
};

/** The granules as a file that a thread makes. `gone` ends it at any time, also during the long wait for the first bytes of a QVD file. */
export async function* table(
  lines: Lines,
  options: TableOptions,
  gone: AbortSignal,
  threads = tableThreads,
): AsyncGenerator<Uint8Array> {
  using file = threads.open(options);
  const coming: Promise<Uint8Array | null>[] = [];
  for await (const chunk of lines) {
    requirePresent(gone);
    // A fast store must not keep the event loop from other requests.
    await setImmediate();
    const adding = file.add(chunk);
    // Awaited below; until then its failure must not count as an unhandled rejection.
    adding.catch(() => undefined);
    coming.push(adding);
    if (coming.length <= EXPORT_CHUNKS_AHEAD) continue;
    const bytes = await coming.shift();
    if (bytes?.length) yield bytes;
  }
  for (const adding of coming) {
    const bytes = await adding;
    if (bytes?.length) yield bytes;
  }
  for (let bytes = await file.next(); bytes; bytes = await file.next()) yield bytes;
}
