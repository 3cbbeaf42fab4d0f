import { FieldType } from '@kaptain/contract/field-type';
import { foldName } from '@kaptain/contract/folding';
import type { Kapsule, KapsuleChange } from '@kaptain/contract/kapsules';
import { DatabaseName, DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { type FieldRow, readRow, rowOf } from './rule-values.ts';

/** The values of the form of a kapsule. */
export interface KapsuleValues {
  name: string;
  database: string;
  tableName: string;
  table: string;
  keyField: string;
  fields: FieldRow[];
}

export const newKapsule: KapsuleValues = {
  name: '',
  database: DEFAULT_DATABASE,
  tableName: '',
  table: '',
  keyField: '',
  fields: [{ name: '', type: 'text' }],
};

export const valuesOf = ({ name, database, tableName, table, keyField, fields }: Kapsule): KapsuleValues => ({
  name,
  database,
  tableName,
  table,
  keyField,
  fields: fields.map(rowOf),
});

export const isInSource = (database: string): boolean => database !== DEFAULT_DATABASE;

/** The parts that can be changed, as the service takes them. */
export const changeOf = ({ name, table, keyField, fields }: KapsuleValues): KapsuleChange => ({
  name: name.trim(),
  table: table.trim(),
  keyField: keyField.trim(),
  fields: fields.map((row) => ({ ...readRow(row).field, type: FieldType.parse(row.type) })),
});

/** A whole structure, as the service takes it. */
export const structureOf = (values: KapsuleValues) => ({
  ...changeOf(values),
  database: DatabaseName.parse(values.database),
  ...(isInSource(values.database) && { tableName: values.tableName.trim() }),
});

/** Why a name of a field is refused: the service compares without case and invisible characters. */
export function fieldProblem(fields: readonly { name?: string }[], index: number): string | undefined {
  const key = foldName(fields[index]?.name ?? '');
  if (key === '') return 'Field name is required!';
  const isTwice = fields.some((field, other) => other < index && foldName(field.name ?? '') === key);
  return isTwice ? 'This field is there already.' : undefined;
}
