import type { Session } from '../session.ts';
import { lockCounter, saveCounter } from './counters.ts';

const COUNT = `
  SELECT count(*) AS rows FROM kapsule_data.granules
  WHERE kapsule = $1 AND change > $2 AND change <= $3 AND deleted_at IS NULL`;

export async function markReloaded(session: Session, kapsuleId: string, watermark: number): Promise<number> {
  const counter = await lockCounter(session, kapsuleId);
  if (!counter) return 0;
  const through = Math.min(watermark, counter.lastChange);
  if (through <= counter.reloadedThrough) return 0;
  const count = await session.get<{ rows: number }>(COUNT, counter.kapsule, counter.reloadedThrough, through);
  const rows = count?.rows ?? 0;
  counter.reloaded += rows;
  counter.reloadedThrough = through;
  await saveCounter(session, counter, 0);
  return rows;
}
