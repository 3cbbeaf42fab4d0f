import type { FieldType } from '@kaptain/contract';
import { foldName } from '@kaptain/contract/folding';
import type { KapsuleRecord } from '@kaptain/store';

export interface Column {
  name: string;
  type: FieldType;
}

/** The names of the last three columns, which the QVD import recognises. */
const about = ['CreatedBy', 'CreatedAt', 'UpdatedAt'] as const;

type Structure = Pick<KapsuleRecord, 'keyField' | 'fields'>;

const withoutKey = ({ keyField, fields }: Structure) =>
  fields.filter(({ name }) => foldName(name) !== foldName(keyField));

/** A name that another column has gets a suffix. */
export function freeName(word: string, columns: readonly Column[]): string {
  const taken = new Set(columns.map(({ name }) => foldName(name)));
  let name = word;
  while (taken.has(foldName(name))) name += '_';
  return name;
}

/** The key, the fields, the author and the dates. */
export function columnsOf(kapsule: Structure): Column[] {
  const columns: Column[] = [
    { name: kapsule.keyField, type: 'text' },
    ...withoutKey(kapsule).map(({ name, type }) => ({ name, type })),
  ];
  for (const word of about)
    columns.push({ name: freeName(word, columns), type: word === 'CreatedBy' ? 'text' : 'timestamp' });
  return columns;
}

/** Two more columns for readers of deletions: 1 and the time of the deletion, empty for other rows. */
export function deletionColumns(kapsule: Structure): Column[] {
  const columns = columnsOf(kapsule);
  return [
    { name: freeName('Deleted', columns), type: 'number' },
    { name: freeName('DeletedAt', columns), type: 'timestamp' },
  ];
}

/** An additional column, which has the watermark in the last row. */
export const watermarkColumn = (kapsule: Structure): Column => ({
  name: freeName('KaptainWatermark', columnsOf(kapsule)),
  type: 'text',
});

/** The names of the columns between the key and the author. */
export const fieldNames = (kapsule: Structure): string[] => withoutKey(kapsule).map(({ name }) => name);
