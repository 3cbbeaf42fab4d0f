import { compareSortValues, type SortValue } from '@kaptain/contract/field-conditions';

interface Entry<Row> {
  value: SortValue;
  row: Row;
  /** Rows with the same value stay in the order in which they come, or in its reverse when the order descends. */
  place: number;
}

/** The first rows of an order by a field: keeps only those that the page may need, however many come. */
export class SortedRows<Row> {
  readonly #wanted: number;
  readonly #descending: boolean;
  #entries: Entry<Row>[] = [];
  #added = 0;

  constructor(wanted: number, descending: boolean) {
    this.#wanted = wanted;
    this.#descending = descending;
  }

  get added(): number {
    return this.#added;
  }

  add(value: SortValue, row: Row): void {
    this.#entries.push({ value, row, place: this.#added });
    this.#added += 1;
    // Twice as many before they are sorted, so that each row is sorted a few times only.
    if (this.#entries.length >= 2 * this.#wanted + 1_000) this.#entries = this.#sorted();
  }

  slice(from: number, to: number): Row[] {
    return this.#sorted()
      .slice(from, to)
      .map(({ row }) => row);
  }

  #sorted(): Entry<Row>[] {
    return this.#entries
      .sort(
        (a, b) =>
          compareSortValues(a.value, b.value, this.#descending) ||
          (this.#descending ? b.place - a.place : a.place - b.place),
      )
      .slice(0, this.#wanted);
  }
}
