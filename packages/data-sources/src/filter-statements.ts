import {
  DAY_CHARACTERS,
  type FieldCondition,
  type SortField,
  TIME_CHARACTERS,
} from '@kaptain/contract/field-conditions';
import { fieldTypes } from '@kaptain/contract/fields';
import type { GranulePageQuery, GranuleSort } from '@kaptain/contract/granule-records';
import type { RowStreamQuery } from './data-source.ts';
import type { Dialect, Value } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { lengthOf } from './history-statements.ts';
import { own } from './names.ts';
import type { Column, Shape } from './shape.ts';
import { wholeNumber } from './table-statements.ts';

/** The change numbers of a table: the last one, and the last one that counts as reloaded. */
export interface Control {
  lastChange: number;
  reloadedThrough: number;
}

/** The conditions and the order of reads, the same for all engines except for what the dialect defines. */
export class FilterStatements {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  #of(name: string): string {
    return `t.${this.#dialect.quote(name)}`;
  }

  shown({ name, kind, type }: Column): string {
    const column = this.#of(name);
    return this.#dialect.shown?.(column, kind, type) ?? column;
  }

  where(
    shape: Shape,
    { q = '', reloaded, deleted = false, where = [], since = 0, deletions = false }: RowStreamQuery,
    control: Control,
  ): { where: string; values: Value[] } {
    const values: Value[] = [];
    const change = this.#of(own.change);
    const conditions = [`${this.#of(own.id)} IS NOT NULL`];
    if (!deletions) conditions.push(`${this.#of(own.deletedAt)} IS ${deleted ? 'NOT NULL' : 'NULL'}`);
    if (reloaded !== undefined) {
      // A deleted row never counts as reloaded.
      if (deleted) conditions.push(reloaded ? '1 = 0' : '1 = 1');
      else conditions.push(`${change} ${reloaded ? '<=' : '>'} ${wholeNumber(control.reloadedThrough)}`);
    }
    if (since > 0) conditions.push(`${change} > ${wholeNumber(since)}`);
    if (q !== '') {
      const texts = [
        this.shown(shape.key),
        this.#of(own.user),
        ...shape.columns.map((column) => this.#searched(column)),
      ];
      conditions.push(
        `(${texts.map((text) => this.#like(text, `%${this.#escaped(q)}%`, values)).join(' OR ')})`,
      );
    }
    for (const condition of where) conditions.push(this.#condition(shape, condition, values));
    return { where: conditions.join(' AND '), values };
  }

  #bound(value: Value, values: Value[]): string {
    values.push(value);
    return this.#dialect.placeholder(values.length);
  }

  #escaped(text: string): string {
    return text.toLowerCase().replace(this.#dialect.likeWildcards, '!$&');
  }

  #like(text: string, pattern: string, values: Value[]): string {
    return `LOWER(${this.#dialect.asText(text)}) LIKE ${this.#bound(pattern, values)} ESCAPE '!'`;
  }

  #searched(column: Column): string {
    const name = this.#of(column.name);
    const isBoolean = fieldTypes[column.fieldType].comparedAs === 'boolean';
    if (column.kind === 'number' && !isBoolean) return this.#dialect.numberText?.(name) ?? name;
    if (column.kind !== 'boolean' && !isBoolean) return this.shown(column);
    if (column.kind === 'text' || column.kind === 'other') return this.shown(column);
    const isTrue = column.kind === 'boolean' ? (this.#dialect.truth?.(name) ?? `${name} = 1`) : `${name} = 1`;
    return `CASE WHEN ${isTrue} THEN 'true' ELSE 'false' END`;
  }

  /** The column of a field: only fields that the kapsule has can be named, never another column of the table. */
  #column({ table, columns }: Shape, field: string): Column {
    const column = columns.find((one) => one.field === field);
    if (!column)
      throw new DataSourceError(this.#dialect.type, 'value', `The table ${table} has no field ${field}.`);
    return column;
  }

  #condition(shape: Shape, condition: FieldCondition, values: Value[]): string {
    const column = this.#column(shape, condition.field);
    switch (condition.is) {
      case 'contains': {
        const isFilled = `${this.#of(column.name)} IS NOT NULL`;
        return `(${isFilled} AND ${this.#like(this.#searched(column), `%${this.#escaped(condition.text)}%`, values)})`;
      }
      case 'between':
        return this.#between(column, condition, values);
      case 'empty':
        return this.#empty(column, values);
      case 'filled':
        return `NOT ${this.#empty(column, values)}`;
    }
  }

  #empty(column: Column, values: Value[]): string {
    const conditions = [`${this.#of(column.name)} IS NULL`];
    if (column.kind === 'text') conditions.push(`${lengthOf(this.#dialect, this.shown(column))} = 0`);
    if (column.kind === 'text' && fieldTypes[column.fieldType].comparedAs === 'list')
      conditions.push(this.#like(this.shown(column), this.#escaped('[]'), values));
    return `(${conditions.join(' OR ')})`;
  }

  #between(column: Column, { type, from, to }: FieldCondition & { is: 'between' }, values: Value[]): string {
    const { comparedAs } = fieldTypes[type];
    const isNumber = comparedAs === 'number';
    const compared = isNumber ? this.#number(column) : this.#time(column, comparedAs === 'day');
    const { types } = this.#dialect;
    const side = (sign: string, bound: number | string) => {
      const placeholder = this.#bound(bound, values);
      return `${compared} ${sign} ${isNumber ? `CAST(${placeholder} AS ${types.number})` : placeholder}`;
    };
    // A text that is no date begins with a letter or is too short: both bounds leave it out.
    const [least, most] = isNumber ? [from, to] : [from ?? '0001-01-01', to ?? '9999-12-31T23:59:59'];
    const sides = [least === undefined ? '' : side('>=', least), most === undefined ? '' : side('<=', most)];
    return sides.filter((one) => one !== '').join(' AND ');
  }

  #number(column: Column): string {
    if (column.kind === 'number' || column.kind === 'integer') return this.#of(column.name);
    throw this.#refusal(column, 'numbers');
  }

  /** As text, which every engine compares alike: a day, or a time to the second. */
  #time(column: Column, isDay: boolean): string {
    if (!['date', 'timestamp', 'text'].includes(column.kind)) throw this.#refusal(column, 'times');
    const { startOf, asText } = this.#dialect;
    const text = asText(this.shown(column));
    return isDay ? startOf(text, DAY_CHARACTERS) : `REPLACE(${startOf(text, TIME_CHARACTERS)}, ' ', 'T')`;
  }

  #refusal({ field, type }: Column, what: string): DataSourceError {
    const sentence = `The column of ${field} has the type ${type}, which has no ${what}: it can not be filtered by a range.`;
    return new DataSourceError(this.#dialect.type, 'value', sentence);
  }

  order(shape: Shape, { sort, sortField, descending, deleted }: GranulePageQuery): string {
    return sortField
      ? this.#orderByField(shape, sortField, descending)
      : this.#orderByColumn(shape, sort, descending, deleted);
  }

  /** Rows not reloaded have the higher change numbers, so sorting by `reloaded` is sorting by change, reversed. */
  #orderByColumn({ key }: Shape, sort: GranuleSort, descending: boolean, deleted = false): string {
    const columns: Record<GranuleSort, string> = {
      key: key.name,
      user: own.user,
      createdAt: own.createdAt,
      // The change of a deleted row is its deletion.
      updatedAt: deleted ? own.updatedAt : own.change,
      reloaded: own.change,
    };
    const direction = (sort === 'reloaded') === descending ? 'ASC' : 'DESC';
    return `${this.#of(columns[sort])} ${direction}, ${this.#of(own.id)} ${direction}`;
  }

  /** Empty fields come last in both directions, on every engine. */
  #orderByField(shape: Shape, { name }: SortField, descending: boolean): string {
    const column = this.#column(shape, name);
    const value = this.#of(column.name);
    const isText = column.kind === 'text' || column.kind === 'other';
    const sorted = isText ? (this.#dialect.sortedText?.(this.shown(column)) ?? this.shown(column)) : value;
    return `CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END, ${sorted} ${descending ? 'DESC' : 'ASC'}, ${this.#of(own.id)}`;
  }
}
