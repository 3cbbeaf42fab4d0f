import { fieldsOfKap } from '@kaptain/contract/kap-fields';
import type { KapFile, Kapsule } from '@kaptain/contract/kapsules';
import { sameValue } from '@kaptain/contract/same-value';
import { rulesInFull } from './rules-in-full.ts';

type Field = Kapsule['fields'][number];

const whole = (field: Field): string => [field.type, ...rulesInFull(field).values()].join(', ');

interface FieldChange {
  kind: 'added' | 'removed' | 'retyped' | 'ruled';
  name: string;
  before?: string;
  after?: string;
}
export interface StructureChange {
  fields: FieldChange[];
  /** The fields that stay have another order. */
  isReordered: boolean;
  /** The bound table, when it changes too. */
  table?: { before: string; after: string };
}

/** The rules of which one field says other than the other. */
function ruleChange(was: Field, field: Field): FieldChange | undefined {
  const [before, after] = [rulesInFull(was), rulesInFull(field)];
  const textsIn = (rules: Map<string, string>, others: Map<string, string>) =>
    [...rules].filter(([rule, text]) => others.get(rule) !== text).map(([, text]) => text);
  const [gone, come] = [textsIn(before, after), textsIn(after, before)];
  if (gone.length === 0 && come.length === 0) return undefined;
  return { kind: 'ruled', name: field.name, before: gone.join(', '), after: come.join(', ') };
}

/** What a replacement by a .kap file changes: only fields and the bound table can. */
export function structureDifference(
  old: Pick<Kapsule, 'fields' | 'table'>,
  { version, kapsule: now }: { version: KapFile['version']; kapsule: Pick<Kapsule, 'fields' | 'table'> },
): StructureChange {
  const before = new Map(old.fields.map((field) => [field.name, field]));
  const after = new Map<string, Field>(
    fieldsOfKap(version, now.fields, old.fields).map((field) => [field.name, field]),
  );
  const fields: FieldChange[] = [];
  for (const [name, field] of after) {
    const was = before.get(name);
    if (was === undefined) {
      fields.push({ kind: 'added', name, after: whole(field) });
      continue;
    }
    if (was.type !== field.type) fields.push({ kind: 'retyped', name, before: was.type, after: field.type });
    const rules = ruleChange(was, field);
    if (rules) fields.push(rules);
  }
  for (const [name, field] of before)
    if (!after.has(name)) fields.push({ kind: 'removed', name, before: whole(field) });
  const stay = (names: Iterable<string>, others: ReadonlyMap<string, Field>) =>
    [...names].filter((name) => others.has(name));
  const isReordered = !sameValue(stay(before.keys(), after), stay(after.keys(), before));
  const change = { fields, isReordered };
  return old.table === now.table ? change : { ...change, table: { before: old.table, after: now.table } };
}
