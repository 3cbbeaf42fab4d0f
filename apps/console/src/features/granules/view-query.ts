import { type GranuleState, initial } from './granule-state.ts';

const storedParams = ['q', 'show', 'where', 'sort', 'size'] as const;

/** The search, filters and order that a view stores, without the defaults. */
export function viewQuery(state: GranuleState): string {
  const entries = storedParams
    .filter((name) => state[name] !== initial[name])
    .map((name) => [name, state[name]]);
  return new URLSearchParams(entries).toString();
}

/** The state of a view; what it does not name has its default. */
export function viewState(query: string): Partial<GranuleState> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(storedParams.map((name) => [name, params.get(name) ?? initial[name]]));
}
