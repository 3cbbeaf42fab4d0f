import type { GranuleQuery } from '../../api/granules.ts';
import { useUrlState } from '../../shared/use-url-state.ts';

/** What stands in the URL. */
const initial = { q: '', show: 'all', sort: '-updatedAt', page: '1', size: '50', open: '' };
export type GranuleState = typeof initial;
export type Show = 'all' | 'reloaded' | 'notReloaded' | 'deleted';

const SORT = /^-?(key|user|reloaded|createdAt|updatedAt)$/;
const SIZES = [20, 50, 100];
export const pageSizes = SIZES.map(String);

const reloadedOf: Record<string, boolean | undefined> = { reloaded: true, notReloaded: false };
const whole = (text: string, otherwise: number) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise);

/** The URL as the call takes it; what makes no sense counts as not said. */
function queryOf({ q, show, sort, page, size }: GranuleState, mayShowDeleted: boolean): GranuleQuery {
  return {
    q,
    reloaded: reloadedOf[show],
    deleted: mayShowDeleted && show === 'deleted',
    sort: SORT.test(sort) ? sort : initial.sort,
    page: whole(page, 1),
    size: SIZES.includes(Number(size)) ? Number(size) : 50,
  };
}

/** Filter, search, order, page and the open row, kept in the URL. */
export function useGranuleState(mayShowDeleted: boolean) {
  const [state, change] = useUrlState(initial);
  return {
    state,
    query: queryOf(state, mayShowDeleted),
    /** Other rows: from the first page, with none open. */
    refine: (values: Partial<GranuleState>) => change({ page: '1', open: '', ...values }),
    openRow: (id: string) => change({ open: id }),
  };
}
