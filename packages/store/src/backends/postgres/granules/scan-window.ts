import { PAGE_SCAN_LEAST_ROWS, PAGE_SCAN_MS } from '../../shared/tuning.ts';
import type { Session } from '../session.ts';
import { SAMPLE_RUN_ROWS, SAMPLE_RUNS } from '../tuning.ts';
import type { Selection } from './selection.ts';

interface Sample {
  /** The share of rows that match. */
  share: number;
  /** How many rows can be looked at in the time of a page. */
  window: number;
}

/**
 * Looks at 1,000 rows from everywhere in the kapsule, or at fewer where imports left gaps in the order of changes; `alsoComputed` is
 * what else a page computes of each row.
 */
export async function sampleRows(
  session: Session,
  { kapsule, after, through, q, conditions }: Selection,
  alsoComputed = 'NULL',
): Promise<Sample> {
  const step = (through - after) / SAMPLE_RUNS;
  const starts = Array.from({ length: SAMPLE_RUNS }, (_, run) => Math.trunc(after + run * step));
  const began = performance.now();
  const sample = await session.get<{ rows: number; hits: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE strpos(g.search, $2) > 0${conditions}) AS hits, count(${alsoComputed})
     FROM unnest($3::bigint[]) start CROSS JOIN LATERAL (
       SELECT g.id, g.search, g.data, g.change FROM kapsule_data.granules g
       WHERE g.kapsule = $1 AND g.change > start AND g.change <= start + ${Math.ceil(step)} AND g.deleted_at IS NULL
       ORDER BY g.change LIMIT ${SAMPLE_RUN_ROWS}
     ) g`,
    kapsule,
    q,
    starts,
  );
  const { rows = 0, hits = 0 } = sample ?? {};
  if (rows === 0) return { share: 0, window: PAGE_SCAN_LEAST_ROWS };
  const window = Math.trunc((rows * PAGE_SCAN_MS) / (performance.now() - began));
  return { share: hits / rows, window: Math.max(PAGE_SCAN_LEAST_ROWS, window) };
}
