import type { Kapsule } from '@kaptain/contract/kapsules';
import { useUrlState } from '../../shared/use-url-state.ts';
import { type GranuleState, initial, queryOf } from './granule-state.ts';

/** Filter, search, order, page and the open row, kept in the URL. */
export function useGranuleState(mayShowDeleted: boolean, kapsule: Kapsule) {
  const [state, change] = useUrlState(initial);
  return {
    state,
    query: queryOf(state, mayShowDeleted, kapsule),
    /** Shows other rows: from the first page, with none open. */
    refine: (values: Partial<GranuleState>) => change({ page: '1', open: '', ...values }),
    openRow: (id: string) => change({ open: id }),
  };
}
