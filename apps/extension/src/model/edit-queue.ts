import { type KnownGranule, type KnownGranules, noGranule } from './known-granules.ts';
import { type CellValue, sameValue } from './values.ts';

/** Saved: nothing of the cell waits. Waiting: not sent yet, or sent and not answered. */
export type CellState = 'saved' | 'waiting' | 'failed' | 'conflict';

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

interface Row {
  /** The values to be sent, by field. */
  edits: Map<string, CellValue>;
  /** Those on their way; a later edit of the same field waits in `edits`. */
  sent: Map<string, CellValue> | undefined;
  /** The values before the first edit, to tell what others have changed since. */
  before: Map<string, unknown>;
  state: 'waiting' | 'failed' | 'conflict';
  message: string;
  /** Sent by itself, because a save of several rows with this one was refused. */
  isAlone: boolean;
}

interface Step {
  key: string;
  field: string;
  before: CellValue;
}

const ROWS_PER_SAVE = 100;
const MOST_UNDO = 200;

/**
 * The edits of a table until the service has stored them. It knows neither time nor network: a sender takes rows,
 * and tells what became of them.
 */
export class EditQueue {
  readonly #known: KnownGranules;
  readonly #rows = new Map<string, Row>();
  readonly #undo: Step[] = [];

  constructor(known: KnownGranules) {
    this.#known = known;
  }

  /** The value of a cell as the person sees it: the own edit before the stored value. */
  valueOf(key: string, field: string): unknown {
    const row = this.#rows.get(key);
    if (row?.edits.has(field)) return row.edits.get(field);
    if (row?.sent?.has(field)) return row.sent.get(field);
    return this.#known.get(key)?.data[field];
  }

  stateOf(key: string, field: string): CellState {
    const row = this.#rows.get(key);
    if (!row?.edits.has(field) && !row?.sent?.has(field)) return 'saved';
    return row.state;
  }

  /** Why a cell failed. */
  messageOf(key: string): string {
    return this.#rows.get(key)?.message ?? '';
  }

  get waiting(): number {
    return [...this.#rows.values()].filter(({ state }) => state === 'waiting').length;
  }

  get hasFailed(): boolean {
    return [...this.#rows.values()].some(({ state }) => state === 'failed');
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  edit(key: string, field: string, value: CellValue): void {
    const before = (this.valueOf(key, field) ?? null) as CellValue;
    if (sameValue(before, value) && this.stateOf(key, field) !== 'failed') return;
    this.#undo.push({ key, field, before });
    if (this.#undo.length > MOST_UNDO) this.#undo.shift();
    this.#put(key, field, value);
  }

  /** Takes the last edit back, whether it was sent or not; the cell that it belongs to. */
  undo(): Omit<Step, 'before'> | undefined {
    const step = this.#undo.pop();
    if (step) this.#put(step.key, step.field, step.before);
    return step && { key: step.key, field: step.field };
  }

  #put(key: string, field: string, value: CellValue): void {
    const row = this.#rows.get(key) ?? {
      edits: new Map(),
      sent: undefined,
      before: new Map(),
      state: 'waiting' as const,
      message: '',
      isAlone: false,
    };
    const stored = this.#known.get(key)?.data[field];
    if (!row.before.has(field)) row.before.set(field, stored);
    row.edits.set(field, value);
    // An edit that came back to the stored value needs no save, unless another value is on its way.
    if (!row.sent?.has(field) && row.state !== 'conflict' && sameValue(stored, value))
      row.edits.delete(field);
    if (row.state === 'failed') row.state = 'waiting';
    if (row.edits.size === 0 && !row.sent) this.#rows.delete(key);
    else this.#rows.set(key, row);
  }

  /** The next rows to save; they count as sent until `saved`, `conflicted`, `refused` or `returned` is told. */
  take(): SavedRow[] {
    const taken: SavedRow[] = [];
    for (const [key, row] of this.#rows) {
      if (row.state !== 'waiting' || row.sent || row.edits.size === 0) continue;
      if (taken.length > 0 && row.isAlone) continue;
      const { data, version } = this.#known.get(key) ?? noGranule;
      taken.push({ key, data: merged(data, row.edits), version });
      row.sent = row.edits;
      row.edits = new Map();
      if (row.isAlone || taken.length === ROWS_PER_SAVE) break;
    }
    return taken;
  }

  /** The service has stored these rows, with these versions. */
  saved(rows: readonly SavedRow[], versions: ReadonlyMap<string, number>, user: string, at: string): void {
    for (const { key, data, version } of rows) {
      this.#known.set(key, { version: versions.get(key) ?? version + 1, data, user, updatedAt: at });
      const row = this.#rows.get(key);
      if (!row) continue;
      row.sent = undefined;
      row.isAlone = false;
      row.before = new Map([...row.edits.keys()].map((field) => [field, data[field]]));
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
    const known = this.#known.get(key)?.version ?? 0;
    const isOlder = granule.version > 0 && granule.version < known;
    if (!this.#rows.get(key)?.sent && !isOlder) this.#replace(key, granule);
  }

  #replace(key: string, granule: KnownGranule): void {
    this.#known.set(key, granule);
    const row = this.#rows.get(key);
    if (!row) return;
    const isContested = [...row.edits].some(
      ([field, mine]) =>
        !sameValue(row.before.get(field), granule.data[field]) && !sameValue(mine, granule.data[field]),
    );
    if (isContested) row.state = 'conflict';
    else for (const field of row.edits.keys()) row.before.set(field, granule.data[field]);
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
    const { data, user } = this.#known.get(key) ?? noGranule;
    return [...row.edits]
      .filter(([field, mine]) => !sameValue(mine, data[field]))
      .map(([field, mine]) => ({ key, field, mine, theirs: data[field] ?? null, user }));
  }

  /** The own values replace those of the others, whose fields beside them stay. */
  keepMine(key: string): void {
    const row = this.#rows.get(key);
    if (row?.state !== 'conflict') return;
    const { data } = this.#known.get(key) ?? noGranule;
    row.before = new Map([...row.edits.keys()].map((field) => [field, data[field]]));
    row.state = 'waiting';
  }

  takeTheirs(key: string): void {
    if (this.#rows.get(key)?.state === 'conflict') this.#rows.delete(key);
  }

  /** Sends what failed once more. */
  retry(): void {
    for (const row of this.#rows.values()) if (row.state === 'failed') row.state = 'waiting';
  }
}

/** The stored data with the edits; an empty cell has no field. */
function merged(data: Readonly<Record<string, unknown>>, edits: ReadonlyMap<string, CellValue>) {
  const all = new Map<string, unknown>(Object.entries(data));
  for (const [field, value] of edits) {
    if (value === null) all.delete(field);
    else all.set(field, value);
  }
  return Object.fromEntries(all);
}
