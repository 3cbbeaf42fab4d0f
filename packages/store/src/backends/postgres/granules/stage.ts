import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { GranuleRows } from '../../../granules.ts';
import { PackedRows, unpack } from '../../../packed-rows.ts';
import { batches } from '../../shared/granule-batches.ts';
import { toRow } from '../../shared/granule-row.ts';
import { INPUT_COLUMNS, Inputs, lineOf } from './input.ts';
import type { StagedBatch } from './stage-worker.ts';

/** A temporary table, which PostgreSQL drops with its connection: a killed import leaves nothing. */
const STAGE = `CREATE TEMP TABLE granule_import (${INPUT_COLUMNS})`;

/** What an import has staged. */
export interface Staged {
  rows: number;
  /** Some rows may only replace a certain version. */
  hasVersions: boolean;
}

/** Copies the rows into the table `granule_import` of the connection, in one go. */
export async function stageRows(client: ClientBase, rows: GranuleRows): Promise<Staged> {
  await client.query(STAGE);
  const staged: Staged = { rows: 0, hasVersions: false };
  const lines = rows instanceof PackedRows ? packedLines(rows, staged) : linesOf(rows, staged);
  await pipeline(lines, client.query(copyFrom('COPY granule_import FROM STDIN')));
  return staged;
}

async function* linesOf(rows: GranuleRows, staged: Staged): AsyncGenerator<string> {
  const inputs = new Inputs();
  for await (const batch of batches(rows)) {
    yield batch.map((row) => lineOf(inputs.take(row, true))).join('');
    staged.rows += batch.length;
    staged.hasVersions = inputs.hasVersions;
  }
}

/** While one batch is sent to the database, the thread makes lines of the next one. */
async function* packedLines(rows: PackedRows, staged: Staged): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL('./stage-worker.ts', import.meta.url));
  const linesFor = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
    worker.postMessage(bytes, [bytes.buffer]);
    const [batch] = (await once(worker, 'message')) as [StagedBatch];
    // Throws the error of the row that is refused.
    if (!batch.hasLines) unpack(batch.bytes).map(toRow);
    staged.hasVersions = batch.hasVersions;
    return batch.bytes;
  };
  let making: Promise<Uint8Array> | undefined;
  try {
    for await (const batch of rows.batches) {
      const lines = await making;
      making = linesFor(batch.bytes);
      // Awaited in the next round; until then its failure must not count as an unhandled rejection.
      making.catch(() => undefined);
      staged.rows += batch.rows;
      if (lines) yield lines;
    }
    if (making) yield await making;
  } finally {
    await worker.terminate();
  }
}
