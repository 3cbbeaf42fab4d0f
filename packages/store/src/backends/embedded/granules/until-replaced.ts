import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { REPLACED_LIMIT_MS, REPLACED_POLL_MS } from '../tuning.ts';
import { findCounter } from './counters.ts';

const isReplacing = (connection: Connection, kapsuleId: string): boolean =>
  typeof findCounter(connection, kapsuleId)?.replacedThrough === 'number';

/** Begins a snapshot for a read of all granules, which should not see half of an import. */
export async function beginWhenReplaced(connection: Connection, kapsuleId: string): Promise<void> {
  for (const end = performance.now() + REPLACED_LIMIT_MS; ; await setTimeout(REPLACED_POLL_MS)) {
    connection.exec('BEGIN');
    if (!isReplacing(connection, kapsuleId) || performance.now() > end) return;
    connection.exec('COMMIT');
  }
}

/** For the watermark of such a read. */
export async function untilReplaced(connection: Connection, kapsuleId: string): Promise<void> {
  const end = performance.now() + REPLACED_LIMIT_MS;
  while (isReplacing(connection, kapsuleId) && performance.now() < end) await setTimeout(REPLACED_POLL_MS);
}
