import { fieldTypes } from '@kaptain/contract/fields';
import { type NewValue, QvdWriter } from '@kaptain/qvd';
import { columnsOf, deletionColumns, fieldNames } from './columns.ts';
import type { TableFile, TableKapsule } from './table-file.ts';
import { rowsOf } from './table-rows.ts';

const nothing = new Uint8Array();

/** A QVD file begins with its totals, so all its rows are held until the last one is added. */
export class QvdFile implements TableFile {
  readonly #fields: readonly string[];
  readonly #deletions: boolean;
  /** For each column. */
  readonly #cells: readonly ((value: unknown) => NewValue)[];
  readonly #writer: QvdWriter;

  constructor(kapsule: TableKapsule, deletions = false) {
    const columns = columnsOf(kapsule);
    if (deletions) columns.push(...deletionColumns(kapsule));
    this.#deletions = deletions;
    this.#fields = fieldNames(kapsule);
    this.#cells = columns.map(({ type }) => fieldTypes[type].toQvd);
    this.#writer = new QvdWriter({
      tableName: kapsule.name,
      columns: columns.map(({ name, type }) => ({ name, type: fieldTypes[type].qvdColumn })),
    });
  }

  get memory(): number {
    return this.#writer.memory;
  }

  add(lines: Uint8Array): Uint8Array<ArrayBuffer> {
    for (const row of rowsOf(lines, this.#fields, this.#deletions))
      this.#writer.addRow(row.map((value, column) => this.#cells[column]?.(value)));
    return nothing.slice();
  }

  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    // Copied, because a piece may be a part of memory that the writer still needs.
    for (const piece of this.#writer.chunks()) yield piece.slice();
  }
}
