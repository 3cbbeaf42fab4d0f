import type { Store } from '../store.ts';

/** An empty database of a backend: opened as often as a test likes, thrown away at its end. */
export interface TestDatabase {
  open(): Promise<Store>;
  /** How many indexes of fields there are, and how many of them do not know all changes yet. */
  fieldIndexes(): Promise<{ indexes: number; behind: number }>;
  discard(): Promise<void>;
}
