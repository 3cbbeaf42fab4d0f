import type { Store } from '@kaptain/store';

/** A database for the service, with hand-written code for comparison. */
export interface BenchDatabase extends AsyncDisposable {
  readonly kind: DatabaseKind;
  readonly name: string;
  /** The data folder of the service, and the environment that selects the database. */
  readonly folder: string;
  readonly env: Record<string, string>;
  /** The processes of its server. */
  readonly pids: readonly number[];
  /** A service without login (`bare.ts`), started when the kapsules are there. */
  readonly bare: { script: string; args: string[]; makesJson: boolean };
  open: () => Promise<Store>;
  /** Bulk loads the rows of a kapsule into a table with the same indexes; returns the milliseconds. */
  writeRows(kapsuleId: string): Promise<number>;
  /** Finds the first 100 rows by key with a scan of all rows. */
  scan(kapsuleId: string, q: string): Promise<{ ms: number; rows: number }>;
  /** Kapsules with rows that the search index does not know yet. */
  unindexed(): Promise<number>;
  /** Updates what the server knows of new rows, where it does that at times of its own. */
  vacuum(): Promise<unknown>;
}

/** `far` is PostgreSQL, with a millisecond more for each round trip. */
export type DatabaseKind = 'embedded' | 'postgres' | 'far' | 'mongodb';
