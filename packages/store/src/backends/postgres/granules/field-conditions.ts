import {
  DAY_CHARACTERS,
  type FieldCondition,
  type SortField,
  TIME_CHARACTERS,
} from '@kaptain/contract/field-conditions';
import { fieldTypes } from '@kaptain/contract/fields';
import { searchable } from '../../../folding.ts';
import type { Session } from '../session.ts';
import { entryOf, IS_DAY, IS_EMPTY, JSON_DATA, TEXT, TIME } from './field-entries.ts';
import { type Narrowing, narrowedBy, narrowingOf, type UsableIndex } from './field-narrowing.ts';

/** Knows case and compatibility forms of every script; built into PostgreSQL wherever it has ICU. */
const UNICODE = '"und-x-icu"';
const HAS_UNICODE = {
  name: 'unicode collation',
  text: "SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu'",
};

/** SQL whose values travel as settings of the transaction, because COPY takes no values. */
interface FieldSql {
  /** Conditions, each beginning with AND; '' without any. */
  conditions: string;
  /** Sets the values; undefined without any. */
  settings: string[];
  /** The conditions whose field has an index. */
  narrowings: Narrowing[];
}

/** A subquery is evaluated once, not for every row. */
const setting = (index: number) => `(SELECT current_setting('kaptain.f${index}'))`;

const set = (count: number) =>
  `SELECT ${Array.from({ length: count }, (_, index) => `set_config('kaptain.f${index}', $${index + 1}, true)`).join(', ')}`;

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

/** `expression` of the value `v` of a field, whose name is SQL. OFFSET 0 keeps the data from being parsed twice. */
const ofValue = (name: string, expression: string) =>
  `(SELECT ${expression} FROM (SELECT ${JSON_DATA} -> ${name} AS v OFFSET 0) one)`;

class ConditionWriter {
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
    const name = this.value(condition.field);
    switch (condition.is) {
      case 'contains':
        return this.#contains(name, condition.text);
      case 'between':
        return ofValue(name, this.#between(condition));
      case 'empty':
        return ofValue(name, IS_EMPTY);
      case 'filled':
        return ofValue(name, `NOT ${IS_EMPTY}`);
    }
  }

  #contains(name: string, wanted: string): string {
    const text = this.value(searchable(wanted));
    const has = (expression: string) => `strpos(${folded(expression, this.#isUnicode)}, ${text}) > 0`;
    const entries = `SELECT 1 FROM json_array_elements_text(v) AS entries (entry) WHERE ${has('entry')}`;
    const found = `CASE WHEN json_typeof(v) = 'array' THEN EXISTS (${entries}) ELSE coalesce(${has(TEXT)}, false) END`;
    // The text of every value is in the search text: most rows need not be parsed.
    return `CASE WHEN strpos(g.search, ${text}) = 0 THEN false ELSE ${ofValue(name, found)} END`;
  }

  #between(condition: FieldCondition & { is: 'between' }): string {
    const { type, from, to } = condition;
    const { comparedAs } = fieldTypes[type];
    const isNumber = comparedAs === 'number';
    const compared = isNumber
      ? `${TEXT}::float8`
      : comparedAs === 'day'
        ? `left(${TEXT}, ${DAY_CHARACTERS}) COLLATE "C"`
        : `left(${TIME}, ${TIME_CHARACTERS}) COLLATE "C"`;
    const bounds = [
      ['>=', from],
      ['<=', to],
    ] as const;
    const comparisons = bounds.flatMap(([sign, bound]) =>
      bound === undefined
        ? []
        : [`${compared} ${sign} ${this.value(String(bound))}${isNumber ? '::float8' : ''}`],
    );
    const isOfType = isNumber ? `json_typeof(v) = 'number'` : `json_typeof(v) = 'string' AND ${IS_DAY}`;
    // CASE keeps the order of evaluation: a text is never cast to a number.
    return `CASE WHEN ${isOfType} THEN ${comparisons.join(' AND ')} ELSE false END`;
  }

  entry({ name, type }: SortField): string {
    return entryOf(type, this.value(name));
  }
}

/** Everything that a caller sent, field names included, is a value. */
export function fieldSql(
  where: readonly FieldCondition[],
  isUnicode: boolean,
  indexes: readonly UsableIndex[],
): FieldSql {
  const writer = new ConditionWriter(isUnicode);
  const narrowings: Narrowing[] = [];
  const conditions = where.map((condition) => {
    const tested = writer.condition(condition);
    const narrowing = narrowingOf(condition, indexes, (text) => writer.value(text));
    if (narrowing) narrowings.push(narrowing);
    return ` AND ${narrowing ? narrowedBy(narrowing, tested) : tested}`;
  });
  return { conditions: conditions.join(''), settings: writer.settings, narrowings };
}

/** Selects the value to sort by; its field name is the setting after the others. */
export function sortSql(
  field: SortField,
  settings: readonly string[],
): { entry: string; settings: string[] } {
  const writer = new ConditionWriter(false);
  writer.settings.push(...settings);
  const entry = writer.entry(field);
  return { entry, settings: writer.settings };
}
