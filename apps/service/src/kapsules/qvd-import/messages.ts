import type { QvdFileResult, Role } from '@kaptain/contract';
import type { PackedBatch } from '@kaptain/store';
import type { Structure } from './match-columns.ts';

/** The input of the thread. */
export interface Task {
  files: { name: string; path: string; bytes: number }[];
  structure: Structure;
  /** The importer's role decides whether the authors in the file are used. */
  role: Role;
  /** The author of all other rows. */
  author: string;
  isDryRun: boolean;
  /** The size limit for the data of one row. */
  granuleBytes: number;
}

/** The messages of the thread. Rows are packed, so that the main thread passes them on without reading them. */
export type Message =
  | ({ kind: 'rows' } & PackedBatch)
  | { kind: 'done'; files: QvdFileResult[] }
  | { kind: 'refused'; code: 'BAD_INPUT' | 'TOO_LARGE'; message: string };
