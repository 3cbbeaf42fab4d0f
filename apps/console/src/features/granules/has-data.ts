import type { Granule } from '@kaptain/contract/granules';

export const hasData = ({ data }: Pick<Granule, 'data'>): boolean =>
  data !== undefined && data !== null && data !== '';
