import type { Granule } from '@kaptain/contract/granules';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a granule; another service may send data of any kind. */
export const dataOf = ({ data }: Pick<Granule, 'data'>): Record<string, unknown> =>
  isRecord(data) ? data : {};
