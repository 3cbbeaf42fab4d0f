import type { DayChanges, GranuleCounts } from '../../../granules.ts';
import { firstDayOf, toCounts } from '../../shared/counts.ts';
import type { Database } from '../database.ts';

export async function readCounts(database: Database, kapsuleId: string): Promise<GranuleCounts> {
  return toCounts((await database.counters.findOne({ _id: kapsuleId })) ?? { total: 0, reloaded: 0 });
}

export async function readCountsOfAll(database: Database): Promise<Map<string, GranuleCounts>> {
  const all = await database.counters.find().toArray();
  return new Map(all.map((counter) => [counter._id, toCounts(counter)]));
}

export async function readChangesPerDay(
  database: Database,
  kapsuleId: string,
  days: number,
): Promise<DayChanges[]> {
  const counter = await database.counters.findOne({ _id: kapsuleId });
  if (!counter) return [];
  const found = await database.days
    .find({ k: counter.k, day: { $gte: firstDayOf(days) } })
    .sort({ day: 1 })
    .toArray();
  return found.map(({ day, changes }) => ({ day, changes }));
}
