import type { Kapsule, KapsuleStructure } from '@kaptain/contract/kapsules';

interface FieldChange {
  kind: 'added' | 'removed' | 'retyped';
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
  const before = new Map(old.fields.map(({ name, type }) => [name, type]));
  const after = new Map<string, string>(now.fields.map(({ name, type }) => [name, type]));
  const fields: FieldChange[] = [];
  for (const [name, type] of after) {
    const was = before.get(name);
    if (was === undefined) fields.push({ kind: 'added', name, after: type });
    else if (was !== type) fields.push({ kind: 'retyped', name, before: was, after: type });
  }
  for (const [name, type] of before) {
    if (!after.has(name)) fields.push({ kind: 'removed', name, before: type });
  }
  return old.table === now.table ? { fields } : { fields, table: { before: old.table, after: now.table } };
}
