import type { FieldCondition, SortField } from '@kaptain/contract/field-conditions';
import { fieldTypes } from '@kaptain/contract/fields';
import { type FieldIndex, isSameField, rangeOf } from '../../shared/field-index.ts';
import { FIELD_INDEX_MOST_PENDING_ROWS } from '../../shared/tuning.ts';
import type { Session } from '../session.ts';
import type { Counter } from './counters.ts';

/** An index that knows all but a few changes, or all of them. */
export interface UsableIndex extends FieldIndex {
  isUpToDate: boolean;
}

/** A condition by the index of its field. */
export interface Narrowing {
  index: UsableIndex;
  /** SQL for the entries `f` of the granules that fulfil it. */
  entries: string;
}

export const indexOf = (indexes: readonly UsableIndex[], field: SortField): UsableIndex | undefined =>
  indexes.find((index) => isSameField(index, field));

/** Those that know all but a few changes, when few deleted granules are still in them. */
export async function usableIndexes(
  session: Session,
  { kapsule, lastChange }: Counter,
  indexes: readonly FieldIndex[],
): Promise<UsableIndex[]> {
  if (indexes.length === 0) return [];
  const count = async (rows: string) => {
    const counted = await session.get<{ rows: number }>(
      `SELECT count(*) AS rows FROM (SELECT 1 FROM ${rows} LIMIT ${FIELD_INDEX_MOST_PENDING_ROWS + 1}) counted`,
    );
    return counted?.rows ?? 0;
  };
  const removals = await count(`kapsule_data.granule_field_removals WHERE kapsule = ${kapsule}`);
  if (removals > FIELD_INDEX_MOST_PENDING_ROWS) return [];
  const usable: UsableIndex[] = [];
  for (const index of indexes) {
    const { through } = index;
    const changed = `kapsule_data.granules WHERE kapsule = ${kapsule} AND change > ${through}`;
    if (
      lastChange - through <= FIELD_INDEX_MOST_PENDING_ROWS ||
      (await count(changed)) <= FIELD_INDEX_MOST_PENDING_ROWS
    )
      usable.push({ ...index, isUpToDate: removals === 0 && through >= lastChange });
  }
  return usable;
}

/** `value` makes SQL of a value. */
export function narrowingOf(
  condition: FieldCondition,
  indexes: readonly UsableIndex[],
  value: (text: string) => string,
): Narrowing | undefined {
  const index = indexOf(indexes, { name: condition.field, type: condition.type });
  const range = rangeOf(condition);
  if (!index || !range) return undefined;
  if (range.part !== 'values')
    return { index, entries: entriesOf(index, range.part === 'empty' ? '= 2' : '< 2') };
  const isNumber = fieldTypes[condition.type].comparedAs === 'number';
  const bound = (sign: string, given: number | string | undefined) => {
    if (given === undefined) return '';
    return isNumber
      ? ` AND f.amount ${sign} ${value(String(given))}::float8`
      : ` AND f.words ${sign} ${value(given as string)} COLLATE "C"`;
  };
  const isNothing = isNumber ? '' : ' AND f.amount IS NULL';
  return {
    index,
    entries: `${entriesOf(index, '= 0')}${isNothing}${bound('>=', range.from)}${bound('<=', range.to)}`,
  };
}

const entriesOf = ({ number }: FieldIndex, rank: string) => `f.number = ${number} AND f.rank ${rank}`;

/** For rows `g`: a changed one is tested by its data, of the others an entry is looked up. */
export const narrowedBy = ({ index, entries }: Narrowing, tested: string): string =>
  `CASE WHEN g.change > ${index.through} THEN ${tested} ELSE EXISTS (
     SELECT 1 FROM kapsule_data.granule_fields f WHERE f.id = g.id AND ${entries}) END`;

/** For entries `f`, beginning with AND: leaves out those of granules that have changed since, or are deleted. */
export function andCurrent(kapsule: number, { through, isUpToDate }: UsableIndex): string {
  if (isUpToDate) return '';
  return ` AND f.id NOT IN (
    SELECT id FROM kapsule_data.granules WHERE kapsule = ${kapsule} AND change > ${through}
    UNION ALL
    SELECT r.id FROM kapsule_data.granule_field_removals r JOIN kapsule_data.granules g ON g.id = r.id
    WHERE r.kapsule = ${kapsule} AND g.deleted_at IS NOT NULL)`;
}
