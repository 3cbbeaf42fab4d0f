import type { GranuleQuery } from '../../api/granule-query.ts';

/** The parameters of the URL and their defaults. */
export const initial = { q: '', show: 'all', sort: '-updatedAt', page: '1', size: '50', open: '' };
export type GranuleState = typeof initial;
export type Show = 'all' | 'reloaded' | 'notReloaded' | 'deleted';

const SORT = /^-?(key|user|reloaded|createdAt|updatedAt)$/;
const SIZES = [20, 50, 100];
export const pageSizes = SIZES.map(String);

const reloadedOf: Record<string, boolean | undefined> = { reloaded: true, notReloaded: false };
const whole = (text: string, otherwise: number) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise);

/** The query of a URL; an invalid parameter counts as absent. */
export function queryOf({ q, show, sort, page, size }: GranuleState, mayShowDeleted: boolean): GranuleQuery {
  return {
    q,
    reloaded: reloadedOf[show],
    deleted: mayShowDeleted && show === 'deleted',
    sort: SORT.test(sort) ? sort : initial.sort,
    page: whole(page, 1),
    size: SIZES.includes(Number(size)) ? Number(size) : 50,
  };
}
