import type { AuditFilter } from '../../api/audit.ts';
import { noTime, spanOf } from '../../shared/time-span.ts';
import { knownAction } from './audit-words.ts';

/** What stands in the URL. */
export const noFilter = { actor: '', action: '', target: '', ...noTime };
export type FilterState = typeof noFilter;

/** The URL as the call takes it: only what is set and makes sense. */
export function filterOf(state: FilterState, now: number): AuditFilter {
  const wanted = {
    actorId: state.actor || undefined,
    action: knownAction(state.action),
    target: state.target || undefined,
    ...spanOf(state, now),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}
