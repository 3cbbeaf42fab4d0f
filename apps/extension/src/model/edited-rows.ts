import { ownValue } from '@kaptain/contract/own-value';
import { texts } from '../texts/texts.ts';
import { type CellState, type Conflict, conflictsIn, type EditedRow, emptyFields } from './edited-row.ts';
import { InvalidValues } from './invalid-values.ts';
import { type KnownGranules, noGranule } from './known-granules.ts';
import type { CellName } from './saved-cells.ts';

/** What a person sees of the edits of a table: values, their states, and how many rows wait for what. */
export class EditedRows {
  protected readonly known: KnownGranules;
  protected readonly rows = new Map<string, EditedRow>();
  /** Texts that are shown in their cells and not sent. */
  readonly invalid = new InvalidValues();
  /** Fields without which a row is not sent. */
  required: readonly string[] = [];
  /** The same of new rows alone: what is stored without them stays as it is. */
  requiredInNew: readonly string[] = [];

  constructor(known: KnownGranules) {
    this.known = known;
  }

  /** The value of a cell as the person sees it: the own edit before the stored value. */
  valueOf(key: string, field: string): unknown {
    return this.invalid.get(key, field)?.text ?? this.validOf(key, field);
  }

  protected validOf(key: string, field: string): unknown {
    const row = this.rows.get(key);
    if (row?.edits.has(field)) return row.edits.get(field);
    if (row?.sent?.has(field)) return row.sent.get(field);
    return ownValue(this.known.get(key)?.data ?? {}, field);
  }

  stateOf(key: string, field: string): CellState {
    const row = this.rows.get(key);
    if (this.invalid.get(key, field) || row?.refusals.has(field) || this.emptyIn(key).includes(field))
      return 'invalid';
    if (!row?.edits.has(field) && !row?.sent?.has(field)) return 'saved';
    return row.state;
  }

  /** Why a cell failed or is invalid. */
  messageOf(key: string, field: string): string {
    const row = this.rows.get(key);
    if (this.stateOf(key, field) === 'invalid')
      return this.invalid.get(key, field)?.message ?? row?.refusals.get(field) ?? texts().required;
    return row?.state === 'failed' ? row.message : '';
  }

  protected emptyIn(key: string): string[] {
    const row = this.rows.get(key);
    if (!row) return [];
    const { version, data } = this.known.get(key) ?? noGranule;
    return emptyFields(version === 0 ? [...this.required, ...this.requiredInNew] : this.required, row, data);
  }

  /** How many rows wait for a required field. */
  get incomplete(): number {
    return [...this.rows.keys()].filter((key) => this.emptyIn(key).length > 0).length;
  }

  /** Whether rows wait for the Save button. */
  get isHeld(): boolean {
    return [...this.rows.values()].some((row) => row.isHeld);
  }

  get waiting(): number {
    return [...this.rows.values()].filter(({ state }) => state === 'waiting').length;
  }

  get hasFailed(): boolean {
    return [...this.rows.values()].some(({ state }) => state === 'failed');
  }

  /** The cells in this state: of what waits, failed or is a conflict one cell for each row. */
  cellsIn(state: Exclude<CellState, 'saved'>): CellName[] {
    if (state === 'invalid') {
      const keys = new Set([...this.rows.keys(), ...this.invalid.all().map(({ key }) => key)]);
      return [...keys].flatMap((key) => this.#invalidIn(key).map((field) => ({ key, field })));
    }
    return [...this.rows].flatMap(([key, { state: stateOfRow, edits, sent }]) => {
      const fields = stateOfRow === state ? [...edits.keys(), ...(sent?.keys() ?? [])] : [];
      const field = fields.find((name) => this.stateOf(key, name) === state);
      return field === undefined ? [] : [{ key, field }];
    });
  }

  #invalidIn(key: string): string[] {
    const texts = this.invalid.all().filter((cell) => cell.key === key);
    const refusals = this.rows.get(key)?.refusals.keys() ?? [];
    return [...new Set([...texts.map(({ field }) => field), ...refusals, ...this.emptyIn(key)])];
  }

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.invalid.isEmpty;
  }

  conflictsOf(key: string): Conflict[] {
    const row = this.rows.get(key);
    if (row?.state !== 'conflict') return [];
    return conflictsIn(key, row, this.known.get(key) ?? noGranule);
  }
}
