import type { FieldType } from '@kaptain/contract';
import { foldName } from '@kaptain/contract/folding';
import type { KapsuleRecord } from '@kaptain/store';
import type { WireGranule } from './wire-granule.ts';

export interface Column {
  name: string;
  type: FieldType;
}

/** What a table of granules looks like. The names of the last three are those that the QVD import understands. */
const about = ['CreatedBy', 'CreatedAt', 'UpdatedAt'] as const;

type Structure = Pick<KapsuleRecord, 'keyField' | 'fields'>;

const withoutKey = ({ keyField, fields }: Structure) =>
  fields.filter(({ name }) => foldName(name) !== foldName(keyField));

/** Key, fields, author and dates; a name that is taken by a field gets a tail. */
export function columnsOf(kapsule: Structure): Column[] {
  const columns: Column[] = [
    { name: kapsule.keyField, type: 'text' },
    ...withoutKey(kapsule).map(({ name, type }) => ({ name, type })),
  ];
  const taken = new Set(columns.map(({ name }) => foldName(name)));
  for (const word of about) {
    let name: string = word;
    while (taken.has(foldName(name))) name += '_';
    columns.push({ name, type: word === 'CreatedBy' ? 'text' : 'timestamp' });
  }
  return columns;
}

/** The values of one granule, in the order of the columns. */
export function rowsOf(kapsule: Structure): (granule: WireGranule) => unknown[] {
  const names = withoutKey(kapsule).map(({ name }) => name);
  return ({ key, data, user, createdAt, updatedAt }) => [
    key,
    ...names.map((name) => (Object.hasOwn(data, name) ? data[name] : null)),
    user,
    createdAt,
    updatedAt,
  ];
}
