import { parentPort, workerData } from 'node:worker_threads';
import type { FieldType } from '@kaptain/contract';
import { type QvdColumnWriter, QvdWriter } from '@kaptain/qvd';
import type { KapsuleRecord } from '@kaptain/store';
import { columnsOf, fieldNames } from './columns.ts';
import { JsonLines } from './json-lines.ts';
import { addCell, qvdType } from './qvd-value.ts';

// A QVD file begins with its totals, so all rows must be known first; a thread does this without blocking other
// requests.
const kapsule = workerData as Pick<KapsuleRecord, 'name' | 'keyField' | 'fields'>;
const columns = columnsOf(kapsule);
const lines = new JsonLines(fieldNames(kapsule));
const writer = new QvdWriter({
  tableName: kapsule.name,
  columns: columns.map(({ name, type }) => ({ name, type: qvdType(type) })),
});
const types = columns.map(({ type }) => type);
let chunks: Generator<Uint8Array<ArrayBuffer>> | undefined;

function add(chunk: Uint8Array): void {
  lines.chunk = chunk;
  for (let at = 0; at < chunk.length; ) {
    at = lines.scan(at);
    for (let column = 0; column < types.length; column++)
      addCell(writer.columns[column] as QvdColumnWriter, lines, column, types[column] as FieldType);
  }
}

/** Bytes are rows to add, answered with the memory that all rows take; anything else asks for the next piece of the file. */
parentPort?.on('message', (message: Uint8Array | null) => {
  if (message !== null) {
    add(message);
    return parentPort?.postMessage(writer.memory, []);
  }
  chunks ??= writer.chunks();
  const piece = chunks.next().value?.slice();
  return parentPort?.postMessage(piece ?? null, piece ? [piece.buffer] : []);
});
