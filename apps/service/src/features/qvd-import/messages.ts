import type { QvdFileResult, Role } from '@kaptain/contract';
import type { PackedBatch } from '@kaptain/store';
import type { Structure } from './match-columns.ts';

/** What the thread is started with. */
export interface Task {
  files: { name: string; path: string; bytes: number }[];
  structure: Structure;
  /** The importer's role decides whether the author of a row comes from the file. */
  role: Role;
  /** The author of every other row. */
  author: string;
  isDryRun: boolean;
  /** What the data of one row may have at most. */
  granuleBytes: number;
}

/** What the thread tells. Rows are packed, so that they cross the main thread without being copied or read there. */
export type Message =
  | ({ kind: 'rows' } & PackedBatch)
  | { kind: 'done'; files: QvdFileResult[] }
  | { kind: 'refused'; code: 'BAD_INPUT' | 'TOO_LARGE'; message: string };
