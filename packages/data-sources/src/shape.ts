import type { FieldType } from '@kaptain/contract';
import type { Binding } from './data-source.ts';
import type { CatalogColumn, Dialect, Kind } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { sameName } from './names.ts';

/** A column of the table and the field bound to it. */
export interface Column {
  field: string;
  fieldType: FieldType;
  /** As the database spells it. */
  name: string;
  type: string;
  kind: Kind;
  isWritten: boolean;
  collation: string | null;
  charset: string | null;
}

/** A binding resolved against the catalog: the only source of names in SQL. */
export interface Shape {
  table: string;
  key: Column;
  columns: readonly Column[];
  /** Those of them that are written, in their order. */
  written: readonly Column[];
  /** All columns of the table, bound to a field or not. */
  names: readonly { name: string }[];
}

/**
 * Finds entries by their exact name, or else the only one whose name differs just in case. Each name is read once: a table
 * may have 1,000 columns, and a kapsule as many fields.
 */
export function finderIn<T extends { name: string }>(all: readonly T[]): (name: string) => T | undefined {
  const byName = Map.groupBy(all, ({ name }) => name.toLowerCase());
  return (name) => {
    const alike = byName.get(name.toLowerCase()) ?? [];
    return alike.find((entry) => entry.name === name) ?? (alike.length === 1 ? alike[0] : undefined);
  };
}

export const findNamed = <T extends { name: string }>(all: readonly T[], name: string): T | undefined =>
  finderIn(all)(name);

const columnOf = (
  dialect: Dialect,
  field: { name: string; type: FieldType },
  catalog: CatalogColumn,
): Column => {
  const kind = dialect.kindOf(catalog.type);
  return {
    field: field.name,
    fieldType: field.type,
    name: catalog.name,
    type: catalog.type,
    kind,
    isWritten: kind !== 'other' && !catalog.isReadOnly,
    collation: catalog.collation,
    charset: catalog.charset,
  };
};

/** The fields except the one that is the key itself. */
export const fieldsOf = ({ keyField, fields }: Binding) =>
  fields.filter(({ name }) => !sameName(name, keyField));

export function shapeOf(
  dialect: Dialect,
  table: string,
  binding: Binding,
  catalog: readonly CatalogColumn[],
): Shape {
  const columnNamed = finderIn(catalog);
  const find = (field: { name: string; type: FieldType }) => {
    const column = columnNamed(field.name);
    if (!column)
      throw new DataSourceError(
        dialect.type,
        'missingTable',
        `The table ${table} has no column ${field.name}.`,
      );
    return columnOf(dialect, field, column);
  };
  const key = find({ name: binding.keyField, type: 'text' });
  if (key.kind === 'other' || key.kind === 'boolean')
    throw new DataSourceError(
      dialect.type,
      'binding',
      `The column ${key.name} of type ${key.type} can not be a key.`,
    );
  const columns = fieldsOf(binding).map(find);
  return {
    table,
    key,
    columns,
    written: columns.filter(({ isWritten }) => isWritten),
    names: catalog.map(({ name }) => ({ name })),
  };
}
