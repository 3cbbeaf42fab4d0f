import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority, yieldProcessor } from '../../../background-thread.ts';
import { unpack } from '../../../packed-rows.ts';
import { Inputs, lineOf } from './input.ts';

// Makes lines for COPY of the packed rows of an import, so that the main thread only passes bytes on.
lowerThreadPriority();
const inputs = new Inputs();
const encoder = new TextEncoder();

/** A staged batch; without lines the rows are refused, and the main thread tells why. */
export interface StagedBatch {
  bytes: Uint8Array<ArrayBuffer>;
  hasLines: boolean;
  hasVersions: boolean;
}

function linesOf(bytes: Uint8Array): string {
  let lines = '';
  for (const row of unpack(bytes)) {
    yieldProcessor();
    const [key, user, data, createdAt, version, search] = row;
    lines += lineOf(inputs.add([key, user, data, createdAt, version], true, search));
  }
  return lines;
}

parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  const batch: StagedBatch = { bytes, hasLines: true, hasVersions: false };
  try {
    batch.bytes = encoder.encode(linesOf(bytes));
  } catch {
    batch.hasLines = false;
  }
  batch.hasVersions = inputs.hasVersions;
  parentPort?.postMessage(batch, [batch.bytes.buffer]);
});
