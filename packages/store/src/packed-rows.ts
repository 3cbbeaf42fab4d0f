import type { GranuleInput } from './granules.ts';

/** Rows as a JSON list in UTF-8; the receiver owns the bytes and may transfer them to another thread. */
export interface PackedBatch {
  bytes: Uint8Array<ArrayBuffer>;
  rows: number;
}

/** Rows that another thread has made ready: a store that writes on a thread of its own hands them on unread. */
export class PackedRows implements AsyncIterable<GranuleInput> {
  readonly batches: AsyncIterable<PackedBatch>;

  constructor(batches: AsyncIterable<PackedBatch>) {
    this.batches = batches;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<GranuleInput> {
    for await (const { bytes } of this.batches) yield* unpack(bytes);
  }
}

export const unpack = (bytes: Uint8Array): GranuleInput[] =>
  JSON.parse(new TextDecoder().decode(bytes)) as GranuleInput[];
