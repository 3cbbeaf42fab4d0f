import type { GranuleState } from '@kaptain/contract';
import { ownValue } from '@kaptain/contract/own-value';
import { sameValue } from '@kaptain/contract/same-value';

interface EarlierValue {
  value: unknown;
  user: string;
  at: string;
}

const valueIn = ({ data }: GranuleState, field: string): unknown =>
  typeof data === 'object' && data !== null ? ownValue(data as Record<string, unknown>, field) : undefined;

/** The values that one field had before the present one, newest first, each with who wrote it and when. */
export function earlierValues(states: readonly GranuleState[], field: string, most: number): EarlierValue[] {
  // Of a state with many bytes the data is left out, so its value is not known.
  const isKnown = ({ deletedAt, dataBytes }: GranuleState) => deletedAt === null && dataBytes === undefined;
  const oldestFirst = states.filter(isKnown).toReversed();
  const changes: EarlierValue[] = [];
  for (const state of oldestFirst) {
    const value = valueIn(state, field);
    if (!sameValue(value, changes.at(-1)?.value))
      changes.push({ value, user: state.user, at: state.updatedAt });
  }
  return changes.slice(0, -1).toReversed().slice(0, most);
}
