import type { Store } from '@kaptain/store';

/** One of the three databases, and what one would write by hand on it. */
export interface Place {
  readonly name: string;
  /** The data folder of the service, and the environment that leads it to the database. */
  readonly folder: string;
  readonly env: Record<string, string>;
  open(): Promise<Store>;
  /** Handlers without login, started as `script args…`: `/rows`, `/one/:id`, and `/json` where the database makes JSON. */
  readonly bare: { script: string; args: string[]; makesJson: boolean };
  /** Copies the kapsules into the shape such handlers have. */
  prepareBare(): Promise<void>;
  /** Milliseconds for the finished rows of a kapsule into a table with the same indexes, the fastest way there is. */
  writeRows(kapsuleId: string): Promise<number>;
  /** The first 100 rows by key, found by looking at every row. */
  scan(kapsuleId: string, q: string): Promise<{ ms: number; rows: number }>;
  /** Until what the store does in idle time is done. */
  settle(store: Store): Promise<void>;
  stop(): Promise<void>;
}

/** Where a ratio has to be reached; other databases print theirs. */
export interface Goals {
  listToRows: number;
  listToJson: number;
  small: number;
  bulk: number;
  rareSearch: number;
}
