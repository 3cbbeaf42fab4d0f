import type { QvdFileResult } from '@kaptain/contract';
import type { Structure } from './match-columns.ts';

/** What the thread is started with. */
export interface Task {
  files: { name: string; path: string }[];
  structure: Structure;
  /** For rows that do not name one. */
  author: string;
  isDryRun: boolean;
}

/** What the thread tells. Rows are a JSON list: as text they cross threads faster than as objects. */
export type Message =
  | { kind: 'rows'; rows: string }
  | { kind: 'done'; files: QvdFileResult[] }
  | { kind: 'refused'; message: string };
