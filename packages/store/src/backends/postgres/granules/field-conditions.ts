import {
  DAY_CHARACTERS,
  type FieldCondition,
  SORTED_CHARACTERS,
  type SortField,
  TIME_CHARACTERS,
} from '@kaptain/contract/field-conditions';
import { searchable } from '../../../folding.ts';
import type { Session } from '../session.ts';

/** Knows case and compatibility forms of every script; built into PostgreSQL wherever it has ICU. */
const UNICODE = '"und-x-icu"';
const HAS_UNICODE = {
  name: 'unicode collation',
  text: "SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu'",
};

/** SQL whose values travel as settings of the transaction, because COPY takes no values. */
export interface FieldSql {
  /** Conditions, each beginning with AND; '' without any. */
  conditions: string;
  /** Sets the values; undefined without any. */
  settings: string[];
}

/** A subquery is evaluated once, not for every row. */
const setting = (place: number) => `(SELECT current_setting('kaptain.f${place}'))`;

const set = (places: number) =>
  `SELECT ${Array.from({ length: places }, (_, place) => `set_config('kaptain.f${place}', $${place + 1}, true)`).join(', ')}`;

/** Sends the values of conditions and order into the transaction. */
export async function applySettings(session: Session, settings: readonly string[]): Promise<void> {
  if (settings.length > 0) await session.all(set(settings.length), ...settings);
}

/** Says whether texts can be folded like those of the search. */
export const hasUnicode = async (session: Session): Promise<boolean> =>
  (await session.get(HAS_UNICODE)) !== undefined;

/** As foldText does it. */
const folded = (text: string, isUnicode: boolean) => {
  const collate = (inner: string) => (isUnicode ? `(${inner}) COLLATE ${UNICODE}` : inner);
  const lower = `lower(${collate(`upper(${collate(`lower(${collate(`normalize(${text}, NFKC)`)})`)})`)})`;
  return `normalize(replace(replace(${lower}, 'ς', 'σ'), U&'i\\0307', 'i'), NFKC)`;
};

const json = 'g.data::json';

class Writer {
  readonly settings: string[] = [];
  readonly #isUnicode: boolean;

  constructor(isUnicode: boolean) {
    this.#isUnicode = isUnicode;
  }

  value(text: string): string {
    this.settings.push(text);
    return setting(this.settings.length - 1);
  }

  condition(condition: FieldCondition): string {
    const value = `${json} -> ${this.value(condition.field)}`;
    const text = `${json} ->> ${setting(this.settings.length - 1)}`;
    switch (condition.is) {
      case 'contains':
        return this.#contains(value, text, condition.text);
      case 'between':
        return this.#between(value, text, condition);
      case 'empty':
        return `coalesce(${text}, '') IN ('', '[]')`;
      case 'filled':
        return `coalesce(${text}, '') NOT IN ('', '[]')`;
    }
  }

  #contains(value: string, text: string, wanted: string): string {
    const given = this.value(searchable(wanted));
    const has = (expression: string) => `strpos(${folded(expression, this.#isUnicode)}, ${given}) > 0`;
    const entries = `SELECT 1 FROM json_array_elements_text(${value}) AS entries (entry) WHERE ${has('entry')}`;
    // The text of every value is in the search text: most rows need not be parsed.
    return `CASE WHEN strpos(g.search, ${given}) = 0 THEN false WHEN json_typeof(${value}) = 'array'
      THEN EXISTS (${entries}) ELSE coalesce(${has(text)}, false) END`;
  }

  #between(value: string, text: string, condition: FieldCondition & { is: 'between' }): string {
    const { type, from, to } = condition;
    const isNumber = type === 'number';
    const compared = isNumber
      ? `(${text})::numeric`
      : `${type === 'date' ? `left(${text}, ${DAY_CHARACTERS})` : `replace(left(${text}, ${TIME_CHARACTERS}), ' ', 'T')`} COLLATE "C"`;
    const bounds = [
      ['>=', from],
      ['<=', to],
    ] as const;
    const comparisons = bounds.flatMap(([sign, bound]) =>
      bound === undefined
        ? []
        : [`${compared} ${sign} ${this.value(String(bound))}${isNumber ? '::numeric' : ''}`],
    );
    const isOfType = isNumber
      ? `json_typeof(${value}) = 'number'`
      : `json_typeof(${value}) = 'string' AND ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'`;
    // CASE keeps the order of evaluation: a text is never cast to a number.
    return `CASE WHEN ${isOfType} THEN ${comparisons.join(' AND ')} ELSE false END`;
  }

  sortValue({ name, type }: SortField): string {
    const value = `${json} -> ${this.value(name)}`;
    const text = `${json} ->> ${setting(this.settings.length - 1)}`;
    if (type === 'number') return `CASE WHEN json_typeof(${value}) = 'number' THEN (${text})::numeric END`;
    const kinds = { boolean: 'boolean', list: 'array' } as const;
    const kind = type === 'boolean' || type === 'list' ? kinds[type] : 'string';
    return `CASE WHEN json_typeof(${value}) = '${kind}' THEN nullif(nullif(left(${text}, ${SORTED_CHARACTERS}), ''), '[]') END COLLATE "C"`;
  }
}

/** Everything that a caller sent, field names included, is a value. */
export function fieldSql(where: readonly FieldCondition[], isUnicode: boolean): FieldSql {
  const writer = new Writer(isUnicode);
  const conditions = where.map((condition) => ` AND ${writer.condition(condition)}`).join('');
  return { conditions, settings: writer.settings };
}

/** The SQL of the value to sort by, whose field name is the setting after the others. */
export function sortSql(
  field: SortField,
  settings: readonly string[],
): { value: string; settings: string[] } {
  const writer = new Writer(false);
  writer.settings.push(...settings);
  const value = writer.sortValue(field);
  return { value, settings: writer.settings };
}
