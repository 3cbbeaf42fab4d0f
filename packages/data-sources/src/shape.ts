import type { FieldType } from '@kaptain/contract';
import type { Binding } from './data-source.ts';
import type { CatalogColumn, Dialect, Kind } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { sameName } from './names.ts';

/** A column of the table together with the field it belongs to. */
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

/** A binding after the catalog was asked: the only place that names for SQL come from. */
export interface Shape {
  table: string;
  key: Column;
  columns: readonly Column[];
  /** Of all columns of the table, whether they are fields or not. */
  names: readonly { name: string }[];
}

/** By its exact name, or by the only one that differs in case alone. */
export function findNamed<T extends { name: string }>(all: readonly T[], name: string): T | undefined {
  const alike = all.filter((entry) => sameName(entry.name, name));
  return alike.find((entry) => entry.name === name) ?? (alike.length === 1 ? alike[0] : undefined);
}

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

/** The fields beside the key; a field of its name is the key itself. */
export const fieldsOf = ({ keyField, fields }: Binding) =>
  fields.filter(({ name }) => !sameName(name, keyField));

export function shapeOf(
  dialect: Dialect,
  table: string,
  binding: Binding,
  catalog: readonly CatalogColumn[],
): Shape {
  const find = (field: { name: string; type: FieldType }) => {
    const column = findNamed(catalog, field.name);
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
  return {
    table,
    key,
    columns: fieldsOf(binding).map(find),
    names: catalog.map(({ name }) => ({ name })),
  };
}
