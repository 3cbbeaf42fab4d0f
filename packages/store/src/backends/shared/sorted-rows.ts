import { compareSortValues, type SortValue } from '@kaptain/contract/field-conditions';

interface Entry<Row> {
  value: SortValue;
  row: Row;
}

/**
 * The first rows of an order by a field: keeps only those that the page may need, however many come. Rows are named by numbers or ids
 * that grow with every new granule, so that those with the same value follow each other by creation, or in reverse when the order
 * descends.
 */
export class SortedRows<Row extends number | string> {
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
    this.#entries.push({ value, row });
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
    const later = this.#descending ? -1 : 1;
    return this.#entries
      .sort(
        (a, b) => compareSortValues(a.value, b.value, this.#descending) || (a.row < b.row ? -later : later),
      )
      .slice(0, this.#wanted);
  }
}
