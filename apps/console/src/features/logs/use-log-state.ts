import { useUrlState } from '../../shared/use-url-state.ts';
import { initial, type LogState, pageOf } from './log-state.ts';

/** Search, filters, page and the open row, kept in the URL. */
export function useLogState() {
  const [state, change] = useUrlState(initial);
  const { q, status, time, since, until } = state;
  return {
    state,
    key: { q, status, time, since, until },
    ...pageOf(state),
    isFiltered: q.trim() !== '' || status !== '' || time !== '',
    /** Shows other rows: from the first page, with none open. */
    refine: (values: Partial<LogState>) => change({ page: '1', open: '', ...values }),
    clear: () => change({ ...initial, size: state.size }),
    openRow: (id: string) => change({ open: id }),
  };
}
