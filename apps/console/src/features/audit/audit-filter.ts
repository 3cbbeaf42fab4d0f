import type { AuditFilter } from '../../api/audit.ts';
import { noTime, spanOf } from '../../shared/time-span.ts';
import { knownAction } from './audit-words.ts';

/** The parameters of the URL and their defaults. */
export const noFilter = { q: '', actor: '', action: '', target: '', ...noTime };
export type FilterState = typeof noFilter;

/** The filter of a URL; an unknown action and an invalid time count as absent. */
export function filterOf(state: FilterState, now: number): AuditFilter {
  const wanted = {
    q: state.q.trim() || undefined,
    actorId: state.actor || undefined,
    action: knownAction(state.action),
    target: state.target || undefined,
    ...spanOf(state, now),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}
