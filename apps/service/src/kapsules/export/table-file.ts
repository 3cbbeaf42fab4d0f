import type { KapsuleRecord } from '@kaptain/store';

/** Rows that become a file piece by piece. */
export interface TableFile {
  /** Adds the granules of some whole lines; returns the bytes of the file that are complete now. */
  add(lines: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The bytes that the rows hold until the file is complete. */
  readonly memory: number;
  /** The rest of the file, after the last row. */
  rest(): Generator<Uint8Array<ArrayBuffer>>;
}

export type TableKapsule = Pick<KapsuleRecord, 'name' | 'keyField' | 'fields'>;
