import type { GranuleStreamQuery } from '../../../granules.ts';
import { readChangesPerDay } from './counters.ts';
import { readDeletedSince } from './deletions.ts';
import { readLookup } from './lookup.ts';
import { readPage } from './page.ts';
import { readHistory, readKapsulesOf } from './records.ts';

/** The commands of a reader thread; each sees one snapshot. */
export const reads = {
  readPage,
  readLookup,
  readHistory,
  readKapsulesOf,
  readChangesPerDay,
  readDeletedSince,
} as const;

export type Reads = typeof reads;
export type StreamFilter = GranuleStreamQuery;

export type ReaderCommand =
  | { kind: 'read'; method: keyof Reads; args: unknown[] }
  | { kind: 'open'; stream: number; kapsuleId: string; filter: StreamFilter }
  | { kind: 'next' | 'end'; stream: number }
  | { kind: 'close' };
