import { parentPort, workerData } from 'node:worker_threads';
import { type NewValue, QvdWriter } from '@kaptain/qvd';
import type { KapsuleRecord } from '@kaptain/store';
import { columnsOf, rowsOf } from './columns.ts';
import { qvdType, qvdValue } from './qvd-value.ts';
import { parseLines } from './wire-granule.ts';

// A QVD file begins with its totals, so all rows must be known first; a thread does this without blocking other
// requests.
const kapsule = workerData as Pick<KapsuleRecord, 'name' | 'keyField' | 'fields'>;
const columns = columnsOf(kapsule);
const rowOf = rowsOf(kapsule);
const writer = new QvdWriter({
  tableName: kapsule.name,
  columns: columns.map(({ name, type }) => ({ name, type: qvdType(type) })),
});
let chunks: Generator<Uint8Array<ArrayBuffer>> | undefined;

function add(lines: Uint8Array): void {
  for (const granule of parseLines(lines)) {
    const values: NewValue[] = rowOf(granule).map((value, place) =>
      qvdValue(value, columns[place]?.type ?? 'text'),
    );
    writer.addRow(values);
  }
}

/** Bytes are rows to add, any other message asks for the next part of the file. */
parentPort?.on('message', (message: Uint8Array | null) => {
  if (message !== null) {
    add(message);
    return parentPort?.postMessage(null, []);
  }
  chunks ??= writer.chunks();
  const { value } = chunks.next();
  return parentPort?.postMessage(value ? Uint8Array.from(value) : null, []);
});
