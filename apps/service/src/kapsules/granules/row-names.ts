import { DEFAULT_DATABASE } from '@kaptain/contract';
import { foldName, type GranuleInput, type GranuleRecord, type KapsuleRecord } from '@kaptain/store';

type Bound = Pick<KapsuleRecord, 'database'>;

/** The name of a new key: a data source may take two that differ in case alone for one; the service's own store does not. */
export const newKeyName = ({ key }: Pick<GranuleInput, 'key'>, { database }: Bound): string =>
  database === DEFAULT_DATABASE ? `key ${key}` : `folded ${foldName(key)}`;

/**
 * The names by which later rows of the same granule are recognized. The key is one: a lookup of an import finds rows that it has
 * stored itself.
 */
export const namesOf = (row: GranuleInput, stored: GranuleRecord | null, kapsule: Bound): string[] => [
  `key ${row.key}`,
  stored ? `id ${stored.id}` : newKeyName(row, kapsule),
];
