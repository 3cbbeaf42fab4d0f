import type { Database } from '../database.ts';
import type { Counter } from '../shapes.ts';

/** The granules deleted after a watermark that are still deleted, as a reader with these counters sees them. */
export const deletedSince = ({ k, lastChange }: Counter, watermark: number) => ({
  k,
  dead: true,
  from: { $gt: watermark, $lte: lastChange },
  to: { $gt: lastChange },
});

export async function readDeletedSince(
  database: Database,
  kapsuleId: string,
  watermark: number,
): Promise<number> {
  const counter = await database.counters.findOne({ _id: kapsuleId });
  return counter ? await database.states.countDocuments(deletedSince(counter, watermark)) : 0;
}
