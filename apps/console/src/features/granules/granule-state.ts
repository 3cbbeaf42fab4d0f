import { type FieldCondition, fieldNamed, toCondition } from '@kaptain/contract/field-conditions';
import { FieldFilter } from '@kaptain/contract/field-filters';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { GranuleQuery } from '../../api/granule-query.ts';

/** The parameters of the URL and their defaults. */
export const initial = { q: '', show: 'all', where: '', sort: '-updatedAt', page: '1', size: '50', open: '' };
export type GranuleState = typeof initial;
export type Show = 'all' | 'reloaded' | 'notReloaded' | 'deleted';

const SORT = /^-?(key|user|reloaded|createdAt|updatedAt)$/;
const SIZES = [20, 50, 100];
export const pageSizes = SIZES.map(String);

const reloadedOf: Record<string, boolean | undefined> = { reloaded: true, notReloaded: false };
const whole = (text: string, otherwise: number) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise);

type Fields = Pick<Kapsule, 'fields' | 'keyField'>;

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The conditions of a URL; one on a field that the kapsule no longer has counts as absent. */
function conditionsIn(where: string, kapsule: Fields) {
  const conditions: { filter: FieldFilter; condition: FieldCondition }[] = [];
  for (const entry of parsed(where)) {
    const { data: filter } = FieldFilter.safeParse(entry);
    const condition = filter && toCondition(filter, kapsule);
    if (condition && !('problem' in condition)) conditions.push({ filter, condition });
  }
  return {
    where: conditions.map(({ filter }) => filter),
    conditions: conditions.map(({ condition }) => condition),
  };
}

/** The query of a URL; an invalid parameter counts as absent. */
export function queryOf(
  { q, show, where, sort, page, size }: GranuleState,
  mayShowDeleted: boolean,
  kapsule: Fields,
): GranuleQuery {
  const sortField = sort.includes('field:') ? fieldNamed(kapsule, sort.replace(/^-?field:/, '')) : undefined;
  return {
    ...conditionsIn(where, kapsule),
    q,
    reloaded: reloadedOf[show],
    deleted: mayShowDeleted && show === 'deleted',
    sort: sortField || SORT.test(sort) ? sort : initial.sort,
    sortField,
    page: whole(page, 1),
    size: SIZES.includes(Number(size)) ? Number(size) : 50,
  };
}
