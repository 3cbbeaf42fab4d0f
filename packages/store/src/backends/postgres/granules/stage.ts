import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { GranuleRows } from '../../../granules.ts';
import { PackedRows, unpack } from '../../../packed-rows.ts';
import { batches } from '../../shared/granule-batches.ts';
import { STAGE_SLICE_BYTES, STAGE_SLICE_ROWS } from '../tuning.ts';
import { Inputs, lineOf } from './input.ts';
import type { StagedBatch } from './stage-worker.ts';

/** Rows of an import that are written together, as lines for COPY. */
export interface Slice {
  lines: Uint8Array[];
  rows: number;
  /** Some of the rows may only replace a certain version. */
  hasVersions: boolean;
  isLast: boolean;
}

type Part = Pick<Slice, 'rows' | 'hasVersions'> & { lines: Uint8Array };

/** While one slice is written, the next one is gathered. */
export const slicesOf = (rows: GranuleRows, sliceRows = STAGE_SLICE_ROWS): AsyncGenerator<Slice, void> =>
  oneAhead(gathered(partsOf(rows), sliceRows));

const partsOf = (rows: GranuleRows) => (rows instanceof PackedRows ? packedParts(rows) : plainParts(rows));

async function* gathered(parts: AsyncGenerator<Part>, sliceRows: number): AsyncGenerator<Slice, void> {
  const newSlice = (): Slice => ({ lines: [], rows: 0, hasVersions: false, isLast: false });
  let slice = newSlice();
  let bytes = 0;
  for await (const { lines, rows, hasVersions } of parts) {
    slice.lines.push(lines);
    slice.rows += rows;
    slice.hasVersions ||= hasVersions;
    bytes += lines.length;
    if (slice.rows < sliceRows && bytes < STAGE_SLICE_BYTES) continue;
    yield slice;
    [slice, bytes] = [newSlice(), 0];
  }
  yield { ...slice, isLast: true };
}

async function* oneAhead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const pull = () => {
    const next = source.next();
    // Awaited in the next round; until then its failure must not count as an unhandled rejection.
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = pull(); ; ) {
      const { value, done } = await next;
      if (done) return;
      next = pull();
      yield value;
    }
  } finally {
    await source.return();
  }
}

async function* plainParts(rows: GranuleRows): AsyncGenerator<Part> {
  const inputs = new Inputs();
  const encoder = new TextEncoder();
  for await (const batch of batches(rows)) {
    const lines = encoder.encode(batch.map((row) => lineOf(inputs.add(row, true))).join(''));
    yield { lines, rows: batch.length, hasVersions: inputs.hasVersions };
  }
}

/** The thread makes lines of one batch while the next one is read. */
async function* packedParts(rows: PackedRows): AsyncGenerator<Part> {
  const worker = new Worker(new URL('./stage-worker.ts', import.meta.url));
  const partOf = async (bytes: Uint8Array<ArrayBuffer>, count: number): Promise<Part> => {
    worker.postMessage(bytes, [bytes.buffer]);
    const [batch] = (await once(worker, 'message')) as [StagedBatch];
    // Throws the error of the row that is refused.
    if (!batch.hasLines) unpack(batch.bytes);
    return { lines: batch.bytes, rows: count, hasVersions: batch.hasVersions };
  };
  let making: Promise<Part> | undefined;
  try {
    for await (const batch of rows.batches) {
      const part = await making;
      making = partOf(batch.bytes, batch.rows);
      making.catch(() => undefined);
      if (part) yield part;
    }
    if (making) yield await making;
  } finally {
    await worker.terminate();
  }
}
