import type { Connection } from '../connection.ts';
import { findCounter } from './counters.ts';

/** Without its counters nothing leads to the rows of a kapsule any more, however many they are. */
export function purgeKapsule(connection: Connection, kapsuleId: string): void {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return;
  connection.run('INSERT INTO granule_purges (kapsule) VALUES (?)', counter.kapsule);
  connection.run('DELETE FROM granule_counts WHERE kapsule = ?', counter.kapsule);
}
