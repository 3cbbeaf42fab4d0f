import { type GranuleRow, requireStorable } from './backends/shared/granule-row.ts';
import type { GranuleInput } from './granules.ts';

/** A row to write, and the text that a search compares, which `searchText` makes of it. */
export type PackedRow = [...GranuleRow, search: string];

/** Packed rows; the receiver owns the bytes and may transfer them to another thread. */
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
    for await (const { bytes } of this.batches) for (const row of unpack(bytes)) yield inputOf(row);
  }
}

/** As a JSON list in UTF-8. */
export function pack(rows: readonly PackedRow[]): PackedBatch {
  return { bytes: new TextEncoder().encode(JSON.stringify(rows)), rows: rows.length };
}

/** Throws the error of a row that is refused. */
export function unpack(bytes: Uint8Array): PackedRow[] {
  const rows = JSON.parse(new TextDecoder().decode(bytes)) as PackedRow[];
  for (const [key, user] of rows) requireStorable(key, user);
  return rows;
}

const inputOf = ([key, user, data, createdAt, version]: PackedRow): GranuleInput => ({
  key,
  user,
  data: JSON.parse(data) as GranuleInput['data'],
  ...(createdAt !== null && { createdAt }),
  ...(version !== null && { version }),
});
