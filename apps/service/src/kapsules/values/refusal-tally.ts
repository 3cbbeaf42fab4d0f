import type { RefusedRows, RefusedValue } from '@kaptain/contract';
import type { Refusal } from '@kaptain/contract/field-rules';
import { textOf } from '@kaptain/contract/fields';
import { limits } from '@kaptain/contract/limits';

/** Also of names that are no field and of the messages about them: a name in the data may be as long as the data. */
const SHOWN_CHARACTERS = 200;
const SHOWN_MESSAGE = 1000;
/** Of the values that are told, and of the counts of rules. */
const TOLD_BYTES = 256 * 1024;
const MOST_RULES = 10_000;

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

export function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, SHOWN_CHARACTERS);
  if (typeof value !== 'object' || value === null) return value;
  const text = textOf(value);
  return text.length > SHOWN_CHARACTERS ? cut(text, SHOWN_CHARACTERS) : value;
}

/** A refusal as an answer tells it: a list of many must stay short. */
export const shownRefusal = ({ field, rule, value, message }: Refusal): Omit<RefusedValue, 'key'> => ({
  field: cut(field, limits.nameCharacters),
  rule,
  ...(value !== undefined && { value: shownValue(value) }),
  message: cut(message, SHOWN_MESSAGE),
});

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The first ones whose JSON fits. */
function withinBytes<T>(values: readonly T[], bytes: number): T[] {
  let room = bytes;
  const end = values.findIndex((value) => {
    room -= bytesOf(value);
    return room < 0;
  });
  return end < 0 ? [...values] : values.slice(0, end);
}

/** Counts refused values for each field and rule, and keeps the first ones. This file imports no HTTP code, because threads use it. */
export class RefusalTally {
  readonly #bytes: number;
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #first: RefusedValue[] = [];
  #rules = 0;
  #told = 0;
  /** Of values. */
  count = 0;
  rows = 0;

  /** `parts`: as many of them are told together. */
  constructor(parts = 1) {
    this.#bytes = TOLD_BYTES / parts;
  }

  add(key: string, refusals: readonly Refusal[]): void {
    if (refusals.length === 0) return;
    this.rows += 1;
    for (const refusal of refusals) {
      this.#count(refusal);
      if (this.#first.length === limits.refusalsTold || this.#told > this.#bytes) continue;
      const told = { key, ...shownRefusal(refusal) };
      this.#told += bytesOf(told);
      this.#first.push(told);
    }
  }

  #count({ field, rule }: Refusal): void {
    this.count += 1;
    const ofField = this.#counts.get(field) ?? new Map<string, number>();
    const known = ofField.get(rule);
    if (known === undefined && this.#rules === MOST_RULES) return;
    if (known === undefined) this.#rules += 1;
    ofField.set(rule, (known ?? 0) + 1);
    this.#counts.set(field, ofField);
  }

  get rules(): RefusedRows['rules'] {
    const all = [...this.#counts].flatMap(([field, rules]) =>
      [...rules].map(([rule, count]) => ({ field: cut(field, limits.nameCharacters), rule, count })),
    );
    return withinBytes(
      all.toSorted((one, other) => other.count - one.count),
      this.#bytes,
    );
  }

  get first(): RefusedValue[] {
    return withinBytes(this.#first, this.#bytes);
  }
}
