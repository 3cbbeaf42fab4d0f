import { JobStatus } from '@kaptain/contract/vocabulary';
import type { LogFilter } from '../../api/log-query.ts';
import { noTime, spanOf } from '../../shared/time-span.ts';

/** The parameters of the URL and their defaults. */
export const initial = { q: '', status: '', ...noTime, page: '1', size: '50', open: '' };
export type LogState = typeof initial;

const SIZES = [20, 50, 100];
export const pageSizes = SIZES.map(String);
const whole = (text: string) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1);

/** The filter of a URL; an invalid parameter counts as absent. */
export function filterOf(state: LogState, now: number): LogFilter {
  const { since, until } = spanOf(state, now);
  return { q: state.q, status: JobStatus.safeParse(state.status).data, from: since, to: until };
}

/** Page and page size of a URL. */
export const pageOf = ({ page, size }: LogState) => ({
  page: whole(page),
  size: SIZES.includes(Number(size)) ? Number(size) : 50,
});
