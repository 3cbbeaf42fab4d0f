/** What a write does to the row of its key, with the row that it is about. */
type WriteDecision<Living, Deleted> =
  | { action: 'conflict' | 'insert' }
  | { action: 'same' | 'replace'; living: Living }
  | { action: 'revive'; deleted: Deleted };

export type WriteAction = WriteDecision<unknown, unknown>['action'];

/**
 * Decides a write for all stores and data sources; SQL that decides passes the same cases (`testing/write-cases.ts`). A key has a
 * living row, a deleted one, or none. `version` is the one that the write replaces: null replaces any, 0 no living row. `isSame`
 * says that author and data are those of the living row.
 */
export function decideWrite<Living extends { version: number }, Deleted>(
  version: number | null,
  living: Living | undefined,
  deleted: Deleted | undefined,
  isSame: boolean,
): WriteDecision<Living, Deleted> {
  if (version !== null && version !== (living?.version ?? 0)) return { action: 'conflict' };
  if (living !== undefined) return { action: isSame ? 'same' : 'replace', living };
  // Writing the key of a deleted row brings it back, with its id and its history.
  if (deleted !== undefined) return { action: 'revive', deleted };
  return { action: 'insert' };
}
