import { isEmpty } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import { sameValue } from '@kaptain/contract/same-value';
import type { KnownGranule } from './known-granules.ts';
import type { CellValue } from './values.ts';

/**
 * Saved: nothing of the cell waits. Waiting: not sent yet, or sent and not answered. Invalid: no value of its type, or
 * required and empty in a row that waits.
 */
export type CellState = 'saved' | 'waiting' | 'failed' | 'conflict' | 'invalid';

/** The edits of one row until the service has stored them. */
export interface EditedRow {
  /** The values to be sent, by field. */
  edits: Map<string, CellValue>;
  /** Those on their way; a later edit of the same field waits in `edits`. */
  sent: Map<string, CellValue> | undefined;
  /** Values that were sent without an answer: the service may have stored them. */
  unanswered: Map<string, CellValue[]>;
  /** The values before the first edit, to tell what others have changed since. */
  before: Map<string, unknown>;
  state: 'waiting' | 'failed' | 'conflict';
  message: string;
  /** Why the service refuses values that the person has not edited, by field: others depend on them. */
  refusals: Map<string, string>;
  /** Sent by itself, because a save of several rows with this one was refused. */
  isAlone: boolean;
  /** Waits until the person presses Save. */
  isHeld: boolean;
}

export const newRow = (): EditedRow => ({
  edits: new Map(),
  sent: undefined,
  unanswered: new Map(),
  before: new Map(),
  state: 'waiting',
  message: '',
  refusals: new Map(),
  isAlone: false,
  isHeld: false,
});

/** A row of a save, as the service takes it. */
export interface SavedRow {
  key: string;
  data: Record<string, unknown>;
  version: number;
}

/** A value of another person that stands against one of ours. */
export interface Conflict {
  key: string;
  field: string;
  mine: CellValue;
  theirs: unknown;
  user: string;
}

/** A value that the service has refused. */
export interface RefusedCell {
  key: string;
  field: string;
  /** The value as it is shown in its cell. */
  text: string;
  message: string;
}

/** A granule that the service has stored. */
export interface StoredRow {
  id: string;
  version: number;
}

/** The edits of a row in a form that can be stored. */
export interface KeptRow {
  key: string;
  edits: [field: string, value: CellValue][];
  before: [field: string, value: unknown][];
  /** Texts that are no values, with the reason. */
  invalid?: [field: string, text: string, message: string][];
  isHeld: boolean;
}

export const keptRow = (key: string, { edits, sent, before, isHeld }: EditedRow): KeptRow => ({
  key,
  edits: [...new Map([...(sent ?? []), ...edits])],
  before: [...before].map(([field, value]) => [field, value ?? null]),
  isHeld,
});

/** The edits that are left of a row begin with this data. */
export function settle(row: EditedRow, data: KnownGranule['data']): void {
  row.sent = undefined;
  row.unanswered = new Map();
  row.isAlone = false;
  row.before = new Map([...row.edits.keys()].map((field) => [field, ownValue(data, field)]));
}

/** Takes a refused value out of the edits of its row; whether it is the one that was sent, and not a later one. */
export function takeOut(row: EditedRow, { field, message }: RefusedCell, sent: unknown): boolean {
  if (!row.edits.has(field)) {
    row.refusals.set(field, message);
    Object.assign(row, { state: 'failed', message });
    return false;
  }
  if (!sameValue(row.edits.get(field), sent ?? null)) return false;
  row.before.delete(field);
  return row.edits.delete(field);
}

/** Whether the service may have another value of this field than the one that was read. */
export const mayBeStored = ({ sent, unanswered }: EditedRow, field: string): boolean =>
  sent?.has(field) === true || unanswered.has(field);

/** What the service has now: a value that was sent without an answer is the person's own. */
export function compare(row: EditedRow, granule: KnownGranule): void {
  for (const [field, values] of row.unanswered) {
    const stored = ownValue(granule.data, field);
    if (row.edits.has(field) && values.some((value) => sameValue(value, stored)))
      row.before.set(field, stored);
  }
  row.unanswered = new Map();
  if (isContested(row, granule)) row.state = 'conflict';
  else for (const field of row.edits.keys()) row.before.set(field, ownValue(granule.data, field));
}

/** Whether others have changed a field that the person edits, to another value. */
export const isContested = ({ edits, before }: EditedRow, { data }: KnownGranule): boolean =>
  [...edits].some(
    ([field, mine]) =>
      !sameValue(before.get(field), ownValue(data, field)) && !sameValue(mine, ownValue(data, field)),
  );

/** The edits of a row that others have answered with other values. */
export const conflictsIn = (key: string, { edits }: EditedRow, { data, user }: KnownGranule): Conflict[] =>
  [...edits]
    .filter(([field, mine]) => !sameValue(mine, ownValue(data, field)))
    .map(([field, mine]) => ({ key, field, mine, theirs: ownValue(data, field) ?? null, user }));

/** The stored data with the edits; an empty cell has no field. */
export function merged(data: Readonly<Record<string, unknown>>, edits: ReadonlyMap<string, CellValue>) {
  const all = new Map<string, unknown>(Object.entries(data));
  for (const [field, value] of edits) {
    if (value === null) all.delete(field);
    else all.set(field, value);
  }
  return Object.fromEntries(all);
}

/** The required fields that would be empty when the row is saved. */
export function emptyFields(
  required: readonly string[],
  row: EditedRow,
  data: Readonly<Record<string, unknown>>,
): string[] {
  if (required.length === 0) return [];
  const all = merged(data, new Map([...(row.sent ?? []), ...row.edits]));
  return required.filter((field) => isEmpty(all[field]));
}
