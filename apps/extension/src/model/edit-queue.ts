import { ownValue } from '@kaptain/contract/own-value';
import { sameValue } from '@kaptain/contract/same-value';
import { type CellContent, EditHistory } from './edit-history.ts';
import {
  compare,
  isContested,
  type KeptRow,
  keptRow,
  mayBeStored,
  merged,
  newRow,
  type RefusedCell,
  type SavedRow,
  type StoredRow,
  settle,
  takeOut,
} from './edited-row.ts';
import { EditedRows } from './edited-rows.ts';
import { type KnownGranule, noGranule } from './known-granules.ts';
import type { CellValue } from './values.ts';

interface EditOptions {
  /** The stored value when the person began to edit: others may have changed it meanwhile. */
  seen?: unknown;
  /** Not sent before `release`. */
  isHeld?: boolean;
}

interface PutOptions extends EditOptions {
  /** An action is taken back: without it the cell has what others have stored. */
  isBack?: boolean;
}

const ROWS_PER_SAVE = 100;

/**
 * The edits of a table until the service has stored them. It knows neither time nor network: a sender takes rows,
 * and tells what became of them.
 */
export class EditQueue extends EditedRows {
  readonly #history = new EditHistory();

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  /** All edits that are made meanwhile are one action: they are taken back together. */
  act(edits: () => void): void {
    this.#history.group(edits);
  }

  #contentOf(key: string, field: string): CellContent {
    return { value: (this.validOf(key, field) ?? null) as CellValue, invalid: this.invalid.get(key, field) };
  }

  edit(key: string, field: string, value: CellValue, options: EditOptions = {}): void {
    const before = this.#contentOf(key, field);
    const isInvalid = this.invalid.delete(key, field);
    if (sameValue(before.value, value) && this.stateOf(key, field) !== 'failed' && !isInvalid) return;
    this.#history.add({ key, field, before, after: { value, invalid: undefined } });
    this.#put(key, field, value, options);
  }

  /** Shows a text that is no value in its cell, until it is corrected. */
  refuse(key: string, field: string, text: string, message: string): void {
    const before = this.#contentOf(key, field);
    const invalid = { text, message };
    this.#history.add({ key, field, before, after: { value: before.value, invalid } });
    this.invalid.set(key, field, invalid);
  }

  /** Takes the last action back, whether it was sent or not. Cells that others have changed since are left, and counted. */
  undo(options: EditOptions = {}): number {
    return this.#history.undo(({ key, field, before, after }) =>
      this.#turn(key, field, after, before, options),
    );
  }

  /** Does the last action again that was taken back. */
  redo(options: EditOptions = {}): number {
    return this.#history.redo(({ key, field, before, after }) =>
      this.#turn(key, field, before, after, options),
    );
  }

  /** Whether the cell had this content, or has the other one already. */
  #turn(key: string, field: string, from: CellContent, to: CellContent, options: EditOptions): boolean {
    const { value } = this.#contentOf(key, field);
    if (!sameValue(value, to.value)) {
      if (!sameValue(value, from.value)) return false;
      // The person has seen this value: what others have written since is a conflict.
      this.#put(key, field, to.value, { ...options, seen: from.value, isBack: true });
    }
    if (to.invalid) this.invalid.set(key, field, to.invalid);
    else this.invalid.delete(key, field);
    return true;
  }

  #put(key: string, field: string, value: CellValue, options: PutOptions): void {
    const row = this.rows.get(key) ?? newRow();
    const storedGranule = this.known.get(key);
    const stored = ownValue(storedGranule?.data ?? {}, field);
    if (!row.before.has(field)) row.before.set(field, 'seen' in options ? options.seen : stored);
    row.edits.set(field, value);
    // An edit that came back to the stored value needs no save.
    const isStored = storedGranule !== undefined && row.state !== 'conflict' && sameValue(stored, value);
    const isWithdrawn = options.isBack === true && sameValue(row.before.get(field), value);
    if ((isStored || isWithdrawn) && !mayBeStored(row, field)) {
      row.edits.delete(field);
      row.before.delete(field);
    }
    row.isHeld = options.isHeld === true;
    row.refusals.clear();
    const isFree = row.state === 'failed' || (row.state === 'conflict' && row.edits.size === 0);
    if (isFree) row.state = 'waiting';
    if (storedGranule && !row.sent && isContested(row, storedGranule)) row.state = 'conflict';
    if (row.edits.size === 0 && !row.sent) this.rows.delete(key);
    else this.rows.set(key, row);
  }

  /** All edits that are not stored, to be kept while the page is closed. */
  kept(): KeptRow[] {
    const kept = new Map([...this.rows].map(([key, row]) => [key, keptRow(key, row)]));
    for (const { key, field, text, message } of this.invalid.all()) {
      const row = kept.get(key) ?? keptRow(key, newRow());
      kept.set(key, { ...row, invalid: [...(row.invalid ?? []), [field, text, message]] });
    }
    return [...kept.values()];
  }

  /** Brings edits back that an earlier page has left; what others wrote meanwhile is a conflict. */
  restore(rows: readonly KeptRow[]): void {
    for (const { key, edits, before, invalid = [], isHeld } of rows) {
      const isFree = (field: string) => this.stateOf(key, field) === 'saved';
      const seen = new Map(before);
      const free = edits.filter(([field]) => isFree(field));
      const texts = invalid.filter(([field]) => isFree(field));
      for (const [field, value] of free) this.#put(key, field, value, { seen: seen.get(field), isHeld });
      for (const [field, text, message] of texts) this.invalid.set(key, field, { text, message });
    }
  }

  /** Lets the rows go that wait for the Save button. */
  release(): void {
    for (const row of this.rows.values()) row.isHeld = false;
  }

  /** The next rows to save; they count as sent until `saved`, `conflicted`, `refused` or `returned` is told. */
  take(): SavedRow[] {
    const taken: SavedRow[] = [];
    for (const [key, row] of this.rows) {
      if (row.state !== 'waiting' || row.isHeld || row.sent || row.edits.size === 0) continue;
      if (this.emptyIn(key).length > 0) continue;
      if (taken.length > 0 && row.isAlone) continue;
      const { data, version } = this.known.get(key) ?? noGranule;
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
      this.known.set(key, { id, version: next, data, user, updatedAt: at });
      const row = this.rows.get(key);
      if (!row) continue;
      settle(row, data);
      if (row.edits.size === 0) this.rows.delete(key);
    }
  }

  /**
   * Others have changed these granules since they were read. Where they changed other fields, the edits go on to the
   * new version; where they changed the same one, the person decides.
   */
  conflicted(rows: readonly SavedRow[], theirs: ReadonlyMap<string, KnownGranule>): void {
    this.#takeBack(rows);
    for (const [key, granule] of theirs) this.#replace(key, granule);
  }

  /** A look-up has answered this granule. While a save of it is on its way, the answer of the save is newer. */
  learn(key: string, granule: KnownGranule): void {
    const version = this.known.get(key)?.version ?? 0;
    const isOlder = granule.version > 0 && granule.version < version;
    if (!this.rows.get(key)?.sent && !isOlder) this.#replace(key, granule);
  }

  #replace(key: string, granule: KnownGranule): void {
    // A conflict names no id; the granule of the key keeps its own.
    const id = granule.id || (granule.version > 0 ? (this.known.get(key)?.id ?? '') : '');
    this.known.set(key, { ...granule, id });
    const row = this.rows.get(key);
    if (row) compare(row, granule);
  }

  /** The service refused these rows for good; several are sent again one by one, to find the wrong one. */
  refused(rows: readonly SavedRow[], message: string): void {
    this.#takeBack(rows);
    for (const { key } of rows) {
      const row = this.rows.get(key);
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
    this.#takeBack(rows);
    for (const cell of refused) {
      const { key, field } = cell;
      const row = this.rows.get(key);
      if (!row || !takeOut(row, cell, ownValue(sent.get(key) ?? {}, field))) continue;
      this.invalid.set(key, field, { text: cell.text, message: cell.message });
      if (row.edits.size === 0) this.rows.delete(key);
    }
  }

  /** The service did not answer, or could not: these rows wait again. It may have stored them. */
  returned(rows: readonly SavedRow[]): void {
    for (const { key } of rows) {
      const { sent = [], unanswered = new Map() } = this.rows.get(key) ?? {};
      for (const [field, value] of sent) unanswered.set(field, [...(unanswered.get(field) ?? []), value]);
    }
    this.#takeBack(rows);
  }

  #takeBack(rows: readonly SavedRow[]): void {
    for (const { key } of rows) {
      const row = this.rows.get(key);
      if (!row?.sent) continue;
      row.edits = new Map([...row.sent, ...row.edits]);
      row.sent = undefined;
    }
  }

  /** The own values replace those of the others, whose fields beside them stay. */
  keepMine(key: string): void {
    const row = this.rows.get(key);
    if (row?.state !== 'conflict') return;
    const { data } = this.known.get(key) ?? noGranule;
    settle(row, data);
    row.state = 'waiting';
  }

  takeTheirs(key: string): void {
    if (this.rows.get(key)?.state === 'conflict') this.rows.delete(key);
  }

  /** Sends what failed once more. */
  retry(): void {
    for (const row of this.rows.values()) {
      row.refusals.clear();
      if (row.state === 'failed') row.state = 'waiting';
    }
  }
}
