import type { GranuleRecord } from '../../../granules.ts';
import type { Session } from '../session.ts';
import { findCounter } from './counters.ts';
import { placeOf, prefixOf } from './input.ts';
import { readRecords } from './records.ts';

const IDS = `
  SELECT wanted.n - 1 AS position, g.id FROM unnest($1::text[]) WITH ORDINALITY AS wanted (place, n)
  JOIN kapsule_data.granules g ON g.place = wanted.place WHERE g.deleted_at IS NULL ORDER BY n`;

/** Inside a snapshot, so that no granule is changed between its id and its record. */
export async function readLookup(
  session: Session,
  kapsuleId: string,
  keys: readonly string[],
): Promise<(GranuleRecord | null)[]> {
  const counter = await findCounter(session, kapsuleId);
  if (!counter) return keys.map(() => null);
  const wanted = keys.map((key) => prefixOf(counter.kapsule) + placeOf(key));
  const found = await session.all<{ position: number; id: string }>(IDS, wanted);
  const records = await readRecords(
    session,
    found.map(({ id }) => id),
  );
  const answered = found[records.length]?.position ?? keys.length;
  const answer = keys.slice(0, answered).map((): GranuleRecord | null => null);
  for (const [index, record] of records.entries()) answer[found[index]?.position ?? 0] = record;
  return answer;
}
