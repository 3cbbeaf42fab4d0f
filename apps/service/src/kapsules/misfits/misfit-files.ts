import type { FieldsCheck, MisfitPage, RefusedValue } from '@kaptain/contract';
import { type KnownValues, type Refusal, type RowCheck, rowCheck } from '@kaptain/contract/field-rules';
import { limits } from '@kaptain/contract/limits';
import { cell } from '../export/csv-cell.ts';
import type { TableFile, TableKapsule } from '../export/table-file.ts';
import { granulesIn } from '../export/table-rows.ts';
import { RefusalTally, shownRefusal } from '../values/refusal-tally.ts';

export interface MisfitOptions {
  kapsule: TableKapsule;
  known: KnownValues;
  /** Only the refusals of this field and rule. */
  only: { field?: string | undefined; rule?: string | undefined };
}

interface Granule {
  _id?: string;
  key: string;
  version?: number;
  data: Record<string, unknown>;
}

const encoder = new TextEncoder();
const ROW_BYTES = limits.pageBytes / 2;

/** What is refused of stored granules, as if each was new: with no stored state beside it nothing is kept. */
export class MisfitReader {
  readonly #check: RowCheck['check'];
  readonly #only: MisfitOptions['only'];

  constructor({ kapsule, known, only }: MisfitOptions) {
    this.#check = rowCheck(kapsule.fields, known).check;
    this.#only = only;
  }

  *read(lines: Uint8Array): Generator<{ granule: Granule; all: Refusal[]; wanted: Refusal[] }> {
    const { field, rule } = this.#only;
    for (const granule of granulesIn(lines)) {
      if ('deleted' in granule) continue;
      const all = this.#check(granule.data).refusals;
      if (all.length === 0) continue;
      const wanted = all.filter(
        (refusal) =>
          (field === undefined || refusal.field === field) && (rule === undefined || refusal.rule === rule),
      );
      yield { granule, all, wanted };
    }
  }
}

/** The counts of refused values and the first ones, as one JSON document. */
export class FieldsCheckFile implements TableFile {
  readonly memory = 0;
  readonly #reader: MisfitReader;
  readonly #tally = new RefusalTally();

  constructor(options: MisfitOptions) {
    this.#reader = new MisfitReader(options);
  }

  add(lines: Uint8Array): Uint8Array<ArrayBuffer> {
    for (const { granule, wanted } of this.#reader.read(lines)) this.#tally.add(granule.key, wanted);
    return new Uint8Array();
  }

  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    const { rows: granules, count, rules, first } = this.#tally;
    yield encoder.encode(JSON.stringify({ granules, count, rules, first } satisfies FieldsCheck));
  }
}

/** The first granules with values that do not fit, as one JSON document. */
export class MisfitPageFile implements TableFile {
  readonly memory = 0;
  readonly #reader: MisfitReader;
  readonly #all = new RefusalTally();
  readonly #rows: MisfitPage['rows'] = [];
  #bytes = 0;
  #isCut = false;
  #granules = 0;
  #count = 0;

  constructor(options: MisfitOptions) {
    this.#reader = new MisfitReader(options);
  }

  add(lines: Uint8Array): Uint8Array<ArrayBuffer> {
    for (const { granule, all, wanted } of this.#reader.read(lines)) {
      this.#all.add(granule.key, all);
      if (wanted.length === 0) continue;
      this.#granules += 1;
      this.#count += wanted.length;
      if (!this.#isCut) this.#list(granule, wanted);
    }
    return new Uint8Array();
  }

  #list({ _id = '', key, version = 0 }: Granule, wanted: readonly Refusal[]): void {
    const refusals: Omit<RefusedValue, 'key'>[] = wanted.slice(0, limits.refusalsTold).map(shownRefusal);
    const row = { _id, key, version, refusals };
    const bytes = Buffer.byteLength(JSON.stringify(row));
    this.#isCut =
      this.#rows.length === limits.pageSize || (this.#rows.length > 0 && this.#bytes + bytes > ROW_BYTES);
    if (this.#isCut) return;
    this.#bytes += bytes;
    this.#rows.push(row);
  }

  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    const page: MisfitPage = {
      granules: this.#granules,
      count: this.#count,
      rules: this.#all.rules,
      rows: this.#rows,
      isCut: this.#isCut,
    };
    yield encoder.encode(JSON.stringify(page));
  }
}

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';
const COLUMNS = ['key', 'field', 'rule', 'value', 'message'];

/** All values that do not fit, for spreadsheets. */
export class MisfitCsvFile implements TableFile {
  readonly memory = 0;
  readonly #reader: MisfitReader;
  #head = `${BYTE_ORDER_MARK}${COLUMNS.join(',')}${LINE_END}`;

  constructor(options: MisfitOptions) {
    this.#reader = new MisfitReader(options);
  }

  add(lines: Uint8Array): Uint8Array<ArrayBuffer> {
    let text = '';
    for (const { granule, wanted } of this.#reader.read(lines))
      for (const { field, rule, value, message } of wanted)
        text +=
          [granule.key, field, rule, value, message].map((one) => cell(one, 'person')).join() + LINE_END;
    return this.#after(text);
  }

  #after(text: string): Uint8Array<ArrayBuffer> {
    const head = this.#head;
    this.#head = '';
    return encoder.encode(head + text);
  }

  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    yield this.#after('');
  }
}
