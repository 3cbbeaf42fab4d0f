import type { Connection } from '../connection.ts';
import { findCounter, saveCounter } from './counters.ts';

const COUNT = 'SELECT count(*) AS rows FROM granules WHERE kapsule = ? AND change > ? AND change <= ?';

export function markReloaded(connection: Connection, kapsuleId: string, watermark: number): number {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return 0;
  const through = Math.min(watermark, counter.lastChange);
  if (through <= counter.reloadedThrough) return 0;
  const { rows } = connection.get(COUNT, counter.kapsule, counter.reloadedThrough, through) as {
    rows: number;
  };
  counter.reloaded += rows;
  counter.reloadedThrough = through;
  saveCounter(connection, counter);
  return rows;
}
