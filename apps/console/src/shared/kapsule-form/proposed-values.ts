import type { Kapsule } from '@kaptain/contract/kapsules';
import type { StructureProposal } from '@kaptain/contract/proposals';
import { firstFree } from './first-free.ts';
import { type KapsuleValues, newKapsule } from './kapsule-values.ts';
import { type FieldRow, rowOf } from './rule-values.ts';

type Column = StructureProposal['columns'][number];

const fieldOf = ({ name, type, decimals, choices }: Column): FieldRow =>
  rowOf({ name, type, decimals, choices });

/** The form of a kapsule as it is proposed, under a name that is free. */
export function proposedValues(
  { name, table, keyField, columns }: StructureProposal,
  known: readonly Kapsule[],
): KapsuleValues {
  return {
    ...newKapsule,
    name: firstFree(
      (count) => (count === 1 ? name : `${name.slice(0, 245)} (${count})`),
      known.map((one) => one.name),
    ),
    table,
    keyField: keyField ?? '',
    fields: columns.filter((column) => column.name !== keyField).map(fieldOf),
  };
}

/** The fields after another column has become the key: the former one is a field again, first. */
export function fieldsWithKey(
  fields: readonly FieldRow[],
  columns: readonly Column[],
  { before, now }: { before: string; now: string },
): FieldRow[] {
  const former = columns.find(({ name }) => name === before);
  const isThere = fields.some(({ name }) => name === before);
  const all = former && !isThere && before !== now ? [fieldOf(former), ...fields] : [...fields];
  const rest = all.filter(({ name }) => name !== now);
  return rest.length > 0 ? rest : [{ name: '', type: 'text' }];
}
