import type { QvdCell } from '@kaptain/contract/fields';
import { isCalendarType, isoToSerial, type QvdColumn, serialToIso } from '@kaptain/qvd';

/** One value of a QVD column, a dual. */
export class Cell implements QvdCell {
  readonly number: number | null;
  readonly text: string | null;
  readonly #column: Pick<QvdColumn, 'type'>;

  constructor(number: number | null, text: string | null, column: Pick<QvdColumn, 'type'>) {
    this.number = number;
    this.text = text;
    this.#column = column;
  }

  get shown(): string | null {
    if (this.text !== null || this.number === null) return this.text;
    const { type } = this.#column;
    return (isCalendarType(type) ? serialToIso(this.number, type) : null) ?? String(this.number);
  }

  iso(type: 'date' | 'timestamp'): string | null {
    return this.number === null ? null : serialToIso(this.number, type);
  }
}

/** A time in UTC, as granules store it; undefined when the cell is not a time. */
export function timeOf({ number, text }: Pick<QvdCell, 'number' | 'text'>): string | undefined {
  const serial = number ?? (text === null ? null : isoToSerial(text.replace(/Z$/, '')));
  const wall = serial === null ? null : serialToIso(serial, 'timestamp');
  if (wall !== null) return new Date(`${wall}Z`).toISOString();
  const time = text !== null && /^\d{4}-\d\d-\d\d[T ]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
