import type { Session } from '../session.ts';
import { COUNTED_ROWS } from '../tuning.ts';
import { andCurrent, type Narrowing } from './field-narrowing.ts';
import { type Selection, spanCondition } from './selection.ts';

/** The first condition with no more matches than `most` by its index. */
export async function selectiveNarrowing(
  session: Session,
  { narrowings }: Selection,
  most: number,
): Promise<Narrowing | undefined> {
  for (const narrowing of narrowings) {
    const counted = await session.get<{ rows: number }>(
      `SELECT count(*) AS rows FROM (
         SELECT 1 FROM kapsule_data.granule_fields f WHERE ${narrowing.entries} LIMIT ${most + 1}) counted`,
    );
    if (counted && counted.rows <= most) return narrowing;
  }
  return undefined;
}

/** The matching rows, in no order: those that the index of a field proposes, and those that have changed since. */
export function foundByField(selection: Selection, { index, entries }: Narrowing, columns: string): string {
  const { kapsule, conditions } = selection;
  return `
    SELECT ${columns} FROM (
      SELECT f.id FROM kapsule_data.granule_fields f WHERE ${entries}
      UNION
      SELECT id FROM kapsule_data.granules WHERE kapsule = ${kapsule} AND change > ${index.through}
    ) proposed JOIN kapsule_data.granules g ON g.id = proposed.id
    WHERE ${spanCondition(selection)} AND strpos(g.search, $1) > 0${conditions}`;
}

interface Counted {
  total: number;
  totalIsExact: boolean;
}

/** How many rows match, by the index of the one condition that there is; undefined when more is asked for. */
export async function countByIndex(session: Session, selection: Selection): Promise<Counted | undefined> {
  const { kapsule, narrowings, isOneCondition, conditions } = selection;
  const [narrowing] = narrowings;
  if (!narrowing || !isOneCondition) return undefined;
  const { index, entries } = narrowing;
  const counted = await session.get<{ rows: number }>(
    `SELECT (
       SELECT count(*) FROM (
         SELECT 1 FROM kapsule_data.granule_fields f
         WHERE ${entries}${andCurrent(kapsule, index)} LIMIT ${COUNTED_ROWS + 1}) counted
     ) + (
       SELECT count(*) FROM kapsule_data.granules g
       WHERE g.kapsule = ${kapsule} AND g.change > ${index.through} AND g.deleted_at IS NULL${conditions}
     ) AS rows`,
  );
  const total = counted?.rows ?? 0;
  return { total, totalIsExact: total <= COUNTED_ROWS };
}
