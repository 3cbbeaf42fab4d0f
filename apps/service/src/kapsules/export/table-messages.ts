import type { TableOptions } from './table-options.ts';

/** A command to the worker thread about one of its files. */
export type Command =
  | { kind: 'open'; options: TableOptions }
  | { kind: 'add'; lines: Uint8Array }
  | { kind: 'next' | 'close' };

export interface Request {
  call: number;
  file: number;
  command: Command;
}

/** Bytes of a file, null after its end, and the memory that its rows hold. */
export interface Made {
  bytes: Uint8Array<ArrayBuffer> | null;
  memory: number;
}

/** Requests are answered in their order. */
export type Reply = { call: number; made: Made } | { call: number; failure: string };
