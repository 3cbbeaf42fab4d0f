import type { QvdFileResult, Role, StructureProposal } from '@kaptain/contract';
import type { KnownValues } from '@kaptain/contract/field-rules';
import type { SeenLock } from '@kaptain/contract/locks';
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
  /** Rows with refused values are left out; otherwise one of them refuses all. */
  goodRowsOnly: boolean;
  /** The fields whose changes need approval: an import makes no proposals, so it can't change them. */
  approved: readonly string[];
  /** What only the service knows of the values that fields may have. */
  known: KnownValues;
  /** As the importer meets them. */
  locks: SeenLock[];
  /** The rows are stored in a data source, whose transaction keeps others from its table. */
  isInSource: boolean;
  /** The size limit for the data of one row. */
  granuleBytes: number;
}

/** The other input of the thread: a file whose structure is proposed. */
export interface ProposalTask {
  proposed: { name: string; path: string };
}

/** What is stored under a key that the thread has asked for. */
export interface StoredRow {
  version: number;
  user: string;
  data: Record<string, unknown>;
}

/**
 * An answer to the thread: it may send more, or the rows of the first keys that it has asked for, as many as fit. A key without a row may
 * have had one that was deleted.
 */
export type Reply = 'more' | { rows: (StoredRow | null)[]; deleted: ReadonlySet<string> };

/** The messages of the thread. Rows are packed, so that the main thread passes them on without reading them. */
export type Message =
  | ({ kind: 'rows' } & PackedBatch)
  | { kind: 'lookup'; keys: string[] }
  | { kind: 'done'; files: QvdFileResult[] }
  | { kind: 'proposed'; proposal: StructureProposal }
  | { kind: 'refused'; code: 'BAD_INPUT' | 'TOO_LARGE'; message: string };
