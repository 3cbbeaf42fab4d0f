import type { Kapsule, KapsuleStructure } from '@kaptain/contract/kapsules';
import { ruled } from '../../shared/fields/ruled-field.ts';
import { rulesText } from '../../shared/fields/rules-text.ts';
import { readRow, rowOf } from '../../shared/kapsule-form/rule-values.ts';

type Field = Kapsule['fields'][number];

/** The rules of a field as one text, for comparison. */
function rulesOf(field: Field): string {
  const { name: _, type: __, ...rules } = readRow(rowOf(field)).field;
  return JSON.stringify(rules);
}

/** The rules of a field in words. */
const textOf = ({ label, help, ...field }: Field): string =>
  [...(label ? [`label ${label}`] : []), ...(help ? [`help ${help}`] : []), ...rulesText(ruled(field))].join(
    ', ',
  );

interface FieldChange {
  kind: 'added' | 'removed' | 'retyped' | 'ruled';
  name: string;
  before?: string;
  after?: string;
}
export interface StructureChange {
  fields: FieldChange[];
  /** The bound table, when it changes too. */
  table?: { before: string; after: string };
}

/** The changes of a replacement: only fields and the bound table can change. */
export function structureDifference(
  old: Pick<Kapsule, 'fields' | 'table'>,
  now: Pick<KapsuleStructure, 'fields' | 'table'>,
): StructureChange {
  const before = new Map(old.fields.map((field) => [field.name, field]));
  const after = new Map<string, Field>(now.fields.map((field) => [field.name, field]));
  const fields: FieldChange[] = [];
  for (const [name, field] of after) {
    const was = before.get(name);
    if (was === undefined) fields.push({ kind: 'added', name, after: field.type });
    else if (was.type !== field.type)
      fields.push({ kind: 'retyped', name, before: was.type, after: field.type });
    if (was && rulesOf(was) !== rulesOf(field))
      fields.push({ kind: 'ruled', name, before: textOf(was), after: textOf(field) });
  }
  for (const [name, { type }] of before) {
    if (!after.has(name)) fields.push({ kind: 'removed', name, before: type });
  }
  return old.table === now.table ? { fields } : { fields, table: { before: old.table, after: now.table } };
}
