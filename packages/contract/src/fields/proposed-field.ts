import { boolean } from './boolean.ts';
import { date } from './date.ts';
import { type FieldDefinition, inFiles, type QvdCell } from './field-type.ts';
import { link } from './link.ts';
import { number } from './number.ts';
import { type FieldType, fieldTypes } from './registry.ts';
import { timestamp } from './timestamp.ts';

/** What is known of a column of a file or of a table of another program. */
export interface ColumnSample {
  /** The different values, in the order in which they are first found. */
  values: readonly QvdCell[];
  /** Whether the column has no other values. */
  areAll: boolean;
  rows: number;
  /** The type that the file or the table itself says. */
  stated?: FieldType | undefined;
}

interface ProposedField {
  type: FieldType;
  decimals?: number;
  choices?: { value: string }[];
}

/** Texts are choices when each of a few stands in several rows. */
const CHOICES = { most: 20, rowsOfEach: 4, characters: 60 };
/** More decimals come from arithmetic, e.g. 0.1 + 0.2. */
const MOST_DECIMALS = 6;
const LONGEST_LINE = 250;

/** A number as people and programs write it; `007` and `1e5` are texts, e.g. of an article. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:[.,]\d+)?$/;
const SCHEME = /^(?:https?:\/\/|mailto:)\S+$/i;

/** The only reading of a text in a file. */
function readingOf({ readings }: FieldDefinition, text: string) {
  const [value, other] = readings(text, inFiles);
  return other === undefined ? (value ?? undefined) : undefined;
}

const textOf = ({ shown }: QvdCell): string => shown ?? '';

function isNumber(cell: QvdCell, isStated: boolean): boolean {
  if (cell.number === null) return NUMBER.test(textOf(cell)) && readingOf(number, textOf(cell)) !== undefined;
  if (!Number.isFinite(cell.number)) return false;
  // A number with another text, e.g. the name of a month, is shown as that text.
  return cell.text === null || isStated || number.readings(cell.text, inFiles).includes(cell.number);
}

const isAnswer = (cell: QvdCell): boolean =>
  cell.number === null
    ? readingOf(boolean, textOf(cell)) !== undefined
    : cell.number === 0 || Math.abs(cell.number) === 1;

/** By its text, because a number alone is a day only where the file says so. */
const isCalendarText =
  (definition: FieldDefinition, kind: 'date' | 'timestamp') =>
  (cell: QvdCell): boolean => {
    const value = cell.text === null ? undefined : readingOf(definition, cell.text);
    return value !== undefined && (cell.number === null || cell.iso(kind) === definition.fromQvd(cell));
  };

function decimalsOf(values: readonly QvdCell[]): number {
  const sizes = values.map((cell) => {
    const value = number.fromQvd(cell);
    return String(value).includes('e') ? 0 : (String(value).split('.')[1]?.length ?? 0);
  });
  return sizes.reduce((most, size) => Math.max(most, size), 0);
}

function asNumber({ values, areAll }: ColumnSample): ProposedField {
  const decimals = areAll ? decimalsOf(values) : 0;
  return decimals > 0 && decimals <= MOST_DECIMALS ? { type: 'number', decimals } : { type: 'number' };
}

function asText({ values, areAll, rows }: ColumnSample): ProposedField {
  const texts = values.map(textOf);
  const isFew =
    texts.length >= 2 && texts.length <= CHOICES.most && rows >= texts.length * CHOICES.rowsOfEach;
  const areShort = texts.every(
    (text) => text.length <= CHOICES.characters && text === text.trim() && !text.includes('\n'),
  );
  if (areAll && isFew && areShort && new Set(texts).size === texts.length)
    return { type: 'choice', choices: texts.map((value) => ({ value })) };
  const isLong = texts.some((text) => text.length > LONGEST_LINE || text.includes('\n'));
  return { type: isLong ? 'paragraph' : 'text' };
}

/** Every value of the sample can be stored in a field of this type. */
function takesAll({ canonical, fromQvd }: FieldDefinition, values: readonly QvdCell[]): boolean {
  return values.every((cell) => canonical(fromQvd(cell)) !== undefined);
}

const CALENDAR: readonly FieldType[] = ['date', 'timestamp'];

/** The field in which the values of a column are stored best. What a person knows better they change. */
export function proposedField(column: ColumnSample): ProposedField {
  const values = column.values.filter((cell) => textOf(cell).trim() !== '');
  const { stated } = column;
  const given = { ...column, values };
  if (values.length === 0) return { type: stated ?? 'text' };
  const all = (definition: FieldDefinition, test: (cell: QvdCell) => boolean) =>
    values.every(test) && takesAll(definition, values);
  if (stated === 'text') return asText(given);
  if (stated && CALENDAR.includes(stated) && takesAll(fieldTypes[stated], values)) return { type: stated };
  const answers = new Set(values.map(boolean.fromQvd));
  if ((stated === 'boolean' || (column.areAll && answers.size === 2)) && all(boolean, isAnswer))
    return { type: 'boolean' };
  if (all(number, (cell) => isNumber(cell, stated === 'number'))) return asNumber(given);
  if (all(date, isCalendarText(date, 'date'))) return { type: 'date' };
  if (all(timestamp, isCalendarText(timestamp, 'timestamp'))) return { type: 'timestamp' };
  if (all(link, (cell) => SCHEME.test(textOf(cell)))) return { type: 'link' };
  return asText(given);
}

/** Names that sound like keys come first; then the order of the columns. */
export function proposedKey(names: readonly string[]): string | undefined {
  return (
    names.find((name) => /(?:^|[^\p{L}])(?:id|key|nr|no|code)$|(?:Id|ID|Key|Nr|No|Code)$/u.test(name)) ??
    names[0]
  );
}
