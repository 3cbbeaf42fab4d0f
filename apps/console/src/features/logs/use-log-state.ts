import { JobStatus } from '@kaptain/contract/vocabulary';
import type { LogFilter } from '../../api/logs.ts';
import { noTime, spanOf } from '../../shared/time-span.ts';
import { useUrlState } from '../../shared/use-url-state.ts';

/** What stands in the URL. */
const initial = { q: '', status: '', ...noTime, page: '1', size: '50', open: '' };
export type LogState = typeof initial;

const SIZES = [20, 50, 100];
export const pageSizes = SIZES.map(String);
const whole = (text: string) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1);

/** The URL as the call takes it; what makes no sense counts as not said. */
export function filterOf(state: LogState, now: number): LogFilter {
  const { since, until } = spanOf(state, now);
  return { q: state.q, status: JobStatus.safeParse(state.status).data, from: since, to: until };
}

/** Search, filters, page and the open row, kept in the URL. */
export function useLogState() {
  const [state, change] = useUrlState(initial);
  const { q, status, time, since, until } = state;
  return {
    state,
    key: { q, status, time, since, until },
    page: whole(state.page),
    size: SIZES.includes(Number(state.size)) ? Number(state.size) : 50,
    isFiltered: q.trim() !== '' || status !== '' || time !== '',
    /** Other rows: from the first page, with none open. */
    refine: (values: Partial<LogState>) => change({ page: '1', open: '', ...values }),
    clear: () => change({ ...initial, size: state.size }),
    openRow: (id: string) => change({ open: id }),
  };
}
