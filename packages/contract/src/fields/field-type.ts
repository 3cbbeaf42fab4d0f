type Scalar = string | number | boolean | null;

/** A value of a field; null when it is empty. */
export type FieldValue = Scalar | Scalar[];

/** What reading and showing depend on beside the value. */
export interface FieldLocale {
  /** As shown; typed texts are read in every language. */
  yes: string;
  no: string;
  /** The clock of a time without a zone: the person's, or UTC in files. */
  clock: 'local' | 'utc';
  /** Seconds of a shown time: always, or only when it has some. */
  seconds: 'always' | 'ifAny';
  /** The decimal mark; the other one groups thousands. Files have none. */
  decimal: DecimalMark | undefined;
  /** Which of the first two numbers of 3/4/2026 is the day; undefined where it is not known. */
  first: 'day' | 'month' | undefined;
  /** The unit of the field, which may stand beside its number. */
  unit?: string | undefined;
}

export type DecimalMark = '.' | ',';

/** Spec 3: timestamps are shown to the second. */
export const english: FieldLocale = {
  yes: 'Yes',
  no: 'No',
  clock: 'local',
  seconds: 'always',
  decimal: '.',
  first: undefined,
};
export const inFiles: FieldLocale = { ...english, clock: 'utc', decimal: undefined };

/** A cell of a QVD file: a dual of number and text. */
export interface QvdCell {
  readonly number: number | null;
  readonly text: string | null;
  /** The text, or the number as Qlik formats it. */
  readonly shown: string | null;
  /** The number as a day or a time; null without a number of the calendar. */
  iso(type: 'date' | 'timestamp'): string | null;
}

export type NewQvdCell = string | number | { number: number; text: string } | null;

/** How databases compare values; several types may be compared alike. */
export type ComparedAs = 'text' | 'number' | 'boolean' | 'day' | 'time' | 'list';

/** The column that a dialect of data sources makes. */
export type StoredAs = 'text' | 'number' | 'boolean' | 'date' | 'timestamp';

/** The control in which people enter a value. */
export type EnteredAs =
  | 'text'
  | 'paragraph'
  | 'decimal'
  | 'answer'
  | 'date'
  | 'datetime-local'
  | 'list'
  | 'choice'
  | 'choices'
  | 'person'
  | 'rating'
  | 'link';

/** What `min` and `max` of a field bound: the value itself, or the number of its characters or entries. */
type BoundedAs = 'number' | 'date' | 'timestamp' | 'characters' | 'entries';

/** All that is known about a type of field. */
export interface FieldDefinition {
  /** The type that versions of before know it as; absent for their own types. */
  readonly earlier?: 'text' | 'number' | 'list';
  readonly boundedAs?: BoundedAs;
  readonly comparedAs: ComparedAs;
  readonly storedAs: StoredAs;
  readonly enteredAs: EnteredAs;
  /** A filled value of a JSON document in the one form in which it is stored; undefined for a value of another type. */
  readonly canonical: (value: unknown) => FieldValue | undefined;
  /** All values that a person's text can mean: null for a blank one, none without a meaning, two when it is not clear. */
  readonly readings: (text: string, locale?: FieldLocale) => FieldValue[];
  /** Why a text has no reading, after the name of the field. */
  readonly refusal: string;
  /** Any stored value in one line. */
  readonly show: (value: unknown, locale?: FieldLocale) => string;
  /** The value of a cell; a text without a meaning stays as it is. */
  readonly fromQvd: (cell: QvdCell) => unknown;
  /** The value of a text in a column that another program may have made. */
  readonly fromTextColumn: (text: string) => unknown;
  readonly qvdColumn: 'text' | 'number' | 'integer' | 'date' | 'timestamp';
  readonly toQvd: (value: unknown) => NewQvdCell;
  /** The expression of a load script that converts the text of a CSV column; `field` is its quoted name. */
  readonly inLoadScript: (field: string) => string;
}
