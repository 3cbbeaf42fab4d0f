import type { GranuleState } from '@kaptain/contract/granules';

export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}
interface HistoryEvent {
  kind: 'Created' | 'Changed' | 'Deleted' | 'Restored' | 'Written again';
  /** A platform user as it is stored, or the name of an account. */
  by: string;
  at: string;
  changes: FieldChange[];
  /** The state that began with this event; absent when it ended one, or when its data was not sent. */
  state?: GranuleState;
}

const fieldsOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>)
    : { value: data };

/** The fields that differ, in the order of the later state. */
function changesBetween(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(now), ...Object.keys(old)])]
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, before: old[field], after: now[field] }));
}

/** The event with which a state began. */
function beginning(
  state: GranuleState,
  earlier: GranuleState | undefined,
  createdAt: string | null | undefined,
): HistoryEvent {
  const { user, updatedAt: at, data } = state;
  // The time that the list shows: an import may have brought an earlier one than that of the first state.
  const created = createdAt && createdAt < at ? createdAt : at;
  const begun = state.dataBytes === undefined ? { state } : {};
  if (!earlier) return { kind: 'Created', by: user, at: created, changes: [], ...begun };
  // Data that is too large to be sent can't be compared.
  const isKnown = earlier.dataBytes === undefined && state.dataBytes === undefined;
  const changes = isKnown ? changesBetween(earlier.data, data) : [];
  if (earlier.deletedAt === null) return { kind: 'Changed', by: user, at, changes, ...begun };
  // A deleted granule comes back by a restore, or because its key is written again.
  const by = earlier.restoredBy ?? undefined;
  return by === undefined
    ? { kind: 'Written again', by: user, at, changes, ...begun }
    : { kind: 'Restored', by, at, changes, ...begun };
}

/**
 * The states of a granule as events, newest first. The oldest state gives no event until the state before it
 * is loaded.
 */
export function historyEvents(
  states: readonly GranuleState[],
  { areAll = true, createdAt }: { areAll?: boolean; createdAt?: string | null | undefined } = {},
): HistoryEvent[] {
  return states.flatMap((state, index): HistoryEvent[] => {
    const isOpen = !areAll && index === states.length - 1;
    const begun = isOpen ? [] : [beginning(state, states[index + 1], createdAt)];
    if (state.deletedAt === null) return begun;
    return [{ kind: 'Deleted', by: state.deletedBy ?? '', at: state.deletedAt, changes: [] }, ...begun];
  });
}
