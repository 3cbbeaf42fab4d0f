import type { Store } from '@kaptain/store';

/** One of the three databases, with hand-written code for comparison. */
export interface BenchDatabase {
  readonly name: string;
  /** The data folder of the service, and the environment that selects the database. */
  readonly folder: string;
  readonly env: Record<string, string>;
  open(): Promise<Store>;
  /** A service without login: `/rows`, `/one/:id`, and `/json` where the database builds JSON. */
  readonly bare: { script: string; args: string[]; makesJson: boolean };
  /** Copies the kapsules into the tables of that service. */
  prepareBare(): Promise<void>;
  /** Bulk loads the rows of a kapsule into a table with the same indexes; returns the milliseconds. */
  writeRows(kapsuleId: string): Promise<number>;
  /** Finds the first 100 rows by key with a scan of all rows. */
  scan(kapsuleId: string, q: string): Promise<{ ms: number; rows: number }>;
  /** Waits until the store's background work is done. */
  settle(store: Store): Promise<void>;
  stop(): Promise<void>;
}

/** The ratios to reach; databases without goals only print theirs. */
export interface Goals {
  listToRows: number;
  listToJson: number;
  small: number;
  bulk: number;
  rareSearch: number;
}
