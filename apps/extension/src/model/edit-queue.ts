import { ownValue } from '@kaptain/contract/own-value';
import { sameValue } from '@kaptain/contract/same-value';
import { texts } from '../texts/texts.ts';
import {
  type CellState,
  type Conflict,
  conflictsIn,
  type EditedRow,
  emptyFields,
  isContested,
  type KeptRow,
  keptRow,
  merged,
  newRow,
  type RefusedCell,
  type SavedRow,
  type StoredRow,
  settle,
  takeOut,
} from './edited-row.ts';
import { InvalidValues } from './invalid-values.ts';
import { type KnownGranule, type KnownGranules, noGranule } from './known-granules.ts';
import { UndoSteps } from './undo-steps.ts';
import type { CellValue } from './values.ts';

interface EditOptions {
  /** The stored value when the person began to edit: others may have changed it meanwhile. */
  seen?: unknown;
  /** Not sent before `release`. */
  isHeld?: boolean;
}

const ROWS_PER_SAVE = 100;

/**
 * The edits of a table until the service has stored them. It knows neither time nor network: a sender takes rows,
 * and tells what became of them.
 */
export class EditQueue {
  readonly #known: KnownGranules;
  readonly #rows = new Map<string, EditedRow>();
  /** Texts that are shown in their cells and not sent. */
  readonly invalid = new InvalidValues();
  readonly #undo = new UndoSteps();
  /** Fields without which a row is not sent. */
  required: readonly string[] = [];
  /** The same of new rows alone: what is stored without them stays as it is. */
  requiredInNew: readonly string[] = [];

  constructor(known: KnownGranules) {
    this.#known = known;
  }

  /** The value of a cell as the person sees it: the own edit before the stored value. */
  valueOf(key: string, field: string): unknown {
    return this.invalid.get(key, field)?.text ?? this.#validOf(key, field);
  }

  #validOf(key: string, field: string): unknown {
    const row = this.#rows.get(key);
    if (row?.edits.has(field)) return row.edits.get(field);
    if (row?.sent?.has(field)) return row.sent.get(field);
    return ownValue(this.#known.get(key)?.data ?? {}, field);
  }

  stateOf(key: string, field: string): CellState {
    const row = this.#rows.get(key);
    if (this.invalid.get(key, field) || row?.refusals.has(field) || this.#emptyIn(key).includes(field))
      return 'invalid';
    if (!row?.edits.has(field) && !row?.sent?.has(field)) return 'saved';
    return row.state;
  }

  /** Why a cell failed or is invalid. */
  messageOf(key: string, field: string): string {
    const row = this.#rows.get(key);
    if (this.stateOf(key, field) === 'invalid')
      return this.invalid.get(key, field)?.message ?? row?.refusals.get(field) ?? texts().required;
    return row?.state === 'failed' ? row.message : '';
  }

  #emptyIn(key: string): string[] {
    const row = this.#rows.get(key);
    if (!row) return [];
    const { version, data } = this.#known.get(key) ?? noGranule;
    return emptyFields(version === 0 ? [...this.required, ...this.requiredInNew] : this.required, row, data);
  }

  /** How many rows wait for a required field. */
  get incomplete(): number {
    return [...this.#rows.keys()].filter((key) => this.#emptyIn(key).length > 0).length;
  }

  /** Whether rows wait for the Save button. */
  get isHeld(): boolean {
    return [...this.#rows.values()].some((row) => row.isHeld);
  }

  get waiting(): number {
    return [...this.#rows.values()].filter(({ state }) => state === 'waiting').length;
  }

  get hasFailed(): boolean {
    return [...this.#rows.values()].some(({ state }) => state === 'failed');
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && this.invalid.isEmpty;
  }

  get canUndo(): boolean {
    return !this.#undo.isEmpty;
  }

  /** All edits that are made meanwhile are taken back together. */
  act(edits: () => void): void {
    this.#undo.group(edits);
  }

  edit(key: string, field: string, value: CellValue, options: EditOptions = {}): void {
    const before = (this.#validOf(key, field) ?? null) as CellValue;
    const isInvalid = this.invalid.delete(key, field);
    if (sameValue(before, value) && this.stateOf(key, field) !== 'failed' && !isInvalid) return;
    this.#undo.add({ key, field, before, after: value });
    this.#put(key, field, value, options);
  }

  /** Shows a text that is no value in its cell, until it is corrected. */
  refuse(key: string, field: string, text: string, message: string): void {
    this.#undo.add({ key, field, before: (this.#validOf(key, field) ?? null) as CellValue });
    this.invalid.set(key, field, { text, message });
  }

  /** Takes the last action back, whether it was sent or not. Cells that others have changed since are left, and counted. */
  undo(options: EditOptions = {}): number {
    let left = 0;
    for (const { key, field, before, after } of this.#undo.pop()) {
      this.invalid.delete(key, field);
      if (after === undefined) continue;
      if (sameValue(this.#validOf(key, field) ?? null, after)) this.#put(key, field, before, options);
      else left += 1;
    }
    return left;
  }

  #put(key: string, field: string, value: CellValue, options: EditOptions): void {
    const row = this.#rows.get(key) ?? newRow();
    const storedGranule = this.#known.get(key);
    const stored = ownValue(storedGranule?.data ?? {}, field);
    if (!row.before.has(field)) row.before.set(field, 'seen' in options ? options.seen : stored);
    row.edits.set(field, value);
    // An edit that came back to the stored value needs no save, unless another value is on its way.
    if (storedGranule && !row.sent?.has(field) && row.state !== 'conflict' && sameValue(stored, value)) {
      row.edits.delete(field);
      row.before.delete(field);
    }
    row.isHeld = options.isHeld === true;
    row.refusals.clear();
    if (row.state === 'failed') row.state = 'waiting';
    if (storedGranule && !row.sent && isContested(row, storedGranule)) row.state = 'conflict';
    if (row.edits.size === 0 && !row.sent) this.#rows.delete(key);
    else this.#rows.set(key, row);
  }

  /** All edits that are not stored, to be kept while the page is closed. */
  kept(): KeptRow[] {
    return [...this.#rows].map(([key, row]) => keptRow(key, row));
  }

  /** Brings edits back that an earlier page has left; what others wrote meanwhile is a conflict. */
  restore(rows: readonly KeptRow[]): void {
    for (const { key, edits, before, isHeld } of rows)
      for (const [field, value] of edits) {
        const seen = new Map(before).get(field);
        if (this.stateOf(key, field) === 'saved') this.#put(key, field, value, { seen, isHeld });
      }
  }

  /** Lets the rows go that wait for the Save button. */
  release(): void {
    for (const row of this.#rows.values()) row.isHeld = false;
  }

  /** The next rows to save; they count as sent until `saved`, `conflicted`, `refused` or `returned` is told. */
  take(): SavedRow[] {
    const taken: SavedRow[] = [];
    for (const [key, row] of this.#rows) {
      if (row.state !== 'waiting' || row.isHeld || row.sent || row.edits.size === 0) continue;
      if (this.#emptyIn(key).length > 0) continue;
      if (taken.length > 0 && row.isAlone) continue;
      const { data, version } = this.#known.get(key) ?? noGranule;
      taken.push({ key, data: merged(data, row.edits), version });
      row.sent = row.edits;
      row.edits = new Map();
      if (row.isAlone || taken.length === ROWS_PER_SAVE) break;
    }
    return taken;
  }

  /** The service has stored these rows, with these ids and versions. */
  saved(rows: readonly SavedRow[], stored: ReadonlyMap<string, StoredRow>, user: string, at: string): void {
    for (const { key, data, version } of rows) {
      const { id = '', version: next = version + 1 } = stored.get(key) ?? {};
      this.#known.set(key, { id, version: next, data, user, updatedAt: at });
      const row = this.#rows.get(key);
      if (!row) continue;
      settle(row, data);
      if (row.edits.size === 0) this.#rows.delete(key);
    }
  }

  /**
   * Others have changed these granules since they were read. Where they changed other fields, the edits go on to the
   * new version; where they changed the same one, the person decides.
   */
  conflicted(rows: readonly SavedRow[], theirs: ReadonlyMap<string, KnownGranule>): void {
    this.returned(rows);
    for (const [key, granule] of theirs) this.#replace(key, granule);
  }

  /** A look-up has answered this granule. While a save of it is on its way, the answer of the save is newer. */
  learn(key: string, granule: KnownGranule): void {
    const version = this.#known.get(key)?.version ?? 0;
    const isOlder = granule.version > 0 && granule.version < version;
    if (!this.#rows.get(key)?.sent && !isOlder) this.#replace(key, granule);
  }

  #replace(key: string, granule: KnownGranule): void {
    // A conflict names no id; the granule of the key keeps its own.
    const id = granule.id || (granule.version > 0 ? (this.#known.get(key)?.id ?? '') : '');
    this.#known.set(key, { ...granule, id });
    const row = this.#rows.get(key);
    if (!row) return;
    if (isContested(row, granule)) row.state = 'conflict';
    else for (const field of row.edits.keys()) row.before.set(field, ownValue(granule.data, field));
  }

  /** The service refused these rows for good; several are sent again one by one, to find the wrong one. */
  refused(rows: readonly SavedRow[], message: string): void {
    this.returned(rows);
    for (const { key } of rows) {
      const row = this.#rows.get(key);
      if (!row) continue;
      if (rows.length > 1) row.isAlone = true;
      else Object.assign(row, { state: 'failed', message });
    }
  }

  /** The service refused these values of the rows: they stay in their cells, and the rest is sent without them. */
  rejected(rows: readonly SavedRow[], refused: readonly RefusedCell[], message: string): void {
    const sent = new Map(rows.map(({ key, data }) => [key, data]));
    // Without a cell to name, the rows would be sent again and again.
    if (!refused.some(({ key }) => sent.has(key))) return this.refused(rows, message);
    this.returned(rows);
    for (const cell of refused) {
      const { key, field } = cell;
      const row = this.#rows.get(key);
      if (!row || !takeOut(row, cell, ownValue(sent.get(key) ?? {}, field))) continue;
      this.invalid.set(key, field, { text: cell.text, message: cell.message });
      if (row.edits.size === 0) this.#rows.delete(key);
    }
  }

  /** These rows were not stored: the service did not answer, or could not. They wait again. */
  returned(rows: readonly SavedRow[]): void {
    for (const { key } of rows) {
      const row = this.#rows.get(key);
      if (!row?.sent) continue;
      row.edits = new Map([...row.sent, ...row.edits]);
      row.sent = undefined;
    }
  }

  conflictsOf(key: string): Conflict[] {
    const row = this.#rows.get(key);
    if (row?.state !== 'conflict') return [];
    return conflictsIn(key, row, this.#known.get(key) ?? noGranule);
  }

  /** The own values replace those of the others, whose fields beside them stay. */
  keepMine(key: string): void {
    const row = this.#rows.get(key);
    if (row?.state !== 'conflict') return;
    const { data } = this.#known.get(key) ?? noGranule;
    settle(row, data);
    row.state = 'waiting';
  }

  takeTheirs(key: string): void {
    if (this.#rows.get(key)?.state === 'conflict') this.#rows.delete(key);
  }

  /** Sends what failed once more. */
  retry(): void {
    for (const row of this.#rows.values()) {
      row.refusals.clear();
      if (row.state === 'failed') row.state = 'waiting';
    }
  }
}
