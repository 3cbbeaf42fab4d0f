import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { findCounter } from './counters.ts';

const LOOK_MS = 50;
/** On a full disk the replacement may not go on for long. */
const LONGEST_MS = 60_000;

const isReplacing = (connection: Connection, kapsuleId: string): boolean =>
  typeof findCounter(connection, kapsuleId)?.replacedThrough === 'number';

/** Begins a snapshot for a read of all granules, which should not see half of an import. */
export async function beginWhenReplaced(connection: Connection, kapsuleId: string): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; ; await setTimeout(LOOK_MS)) {
    connection.exec('BEGIN');
    if (!isReplacing(connection, kapsuleId) || performance.now() > end) return;
    connection.exec('COMMIT');
  }
}

/** For the watermark of such a read. */
export async function untilReplaced(connection: Connection, kapsuleId: string): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (isReplacing(connection, kapsuleId) && performance.now() < end) await setTimeout(LOOK_MS);
}
