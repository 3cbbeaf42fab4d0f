import type { Session } from '../session.ts';
import { type Selection, spanCondition } from './selection.ts';

const INDEXED = {
  name: 'indexed through',
  text: 'SELECT through FROM kapsule_data.granule_indexed WHERE kapsule = $1',
};

/** The last change of a kapsule whose search text has trigrams. */
export const readIndexedThrough = async (session: Session, kapsule: number): Promise<number> =>
  (await session.get<{ through: number }>(INDEXED, kapsule))?.through ?? 0;

/**
 * The rows whose search text has the given text, in no order: by the trigrams, and those without trigrams yet one by one.
 * `pattern` and `text` are SQL for a pattern of LIKE and for the text itself. The sums keep the planner from looking at every
 * row of the kapsule after all.
 */
export function foundByTrigrams(
  selection: Selection,
  indexedThrough: number,
  columns: string,
  pattern: string,
  text: string,
): string {
  const { kapsule, conditions } = selection;
  const span = `${spanCondition(selection)}${conditions}`;
  return `
    SELECT ${columns} FROM kapsule_data.granule_search s JOIN kapsule_data.granules g ON g.id = s.id
    WHERE s.kapsule + 0 = ${kapsule} AND s.search LIKE ${pattern} AND ${span} AND g.change <= ${indexedThrough}
    UNION ALL
    SELECT ${columns} FROM kapsule_data.granules g
    WHERE g.kapsule = ${kapsule} AND ${span} AND g.change > ${indexedThrough} AND strpos(g.search, ${text}) > 0`;
}
