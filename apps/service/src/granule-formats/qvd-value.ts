import type { FieldType } from '@kaptain/contract';
import type { NewValue, QvdColumnType, QvdColumnWriter } from '@kaptain/qvd';
import { ABSENT, type JsonLines, NUMBER, PLAIN_TEXT } from './json-lines.ts';
import { plainNumber } from './plain-number.ts';

const types: Record<FieldType, QvdColumnType> = {
  text: 'text',
  number: 'number',
  boolean: 'integer',
  date: 'date',
  timestamp: 'timestamp',
  list: 'text',
  thread: 'text',
};
const Z = 0x5a;

export const qvdType = (type: FieldType): QvdColumnType => types[type];

/** In Qlik, true is -1. */
const truth = (value: boolean): NewValue => ({ number: value ? -1 : 0, text: String(value) });

/** A stored value as a cell. QVD has local times without a zone; granules have UTC. */
export function qvdValue(value: unknown, type: FieldType): NewValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return truth(value);
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '');
  return type === 'timestamp' ? text.replace(/Z$/, '') : text;
}

/** Adds the value of a column in the line that was scanned last; most of them without making a string. */
export function addCell(writer: QvdColumnWriter, lines: JsonLines, column: number, type: FieldType): void {
  const source = lines.bytes;
  const kind = lines.kinds[column];
  const from = lines.starts[column] as number;
  const to = lines.ends[column] as number;
  if (kind === PLAIN_TEXT) {
    const hasZone = type === 'timestamp' && source[to - 2] === Z;
    writer.addUtf8(source, from + 1, hasZone ? to - 2 : to - 1);
    return;
  }
  const number = kind === NUMBER ? plainNumber(source, from, to) : Number.NaN;
  if (kind === ABSENT) writer.add(null);
  else writer.add(Number.isNaN(number) ? qvdValue(lines.value(column), type) : number);
}
