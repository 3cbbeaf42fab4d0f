import type { Granule } from '@kaptain/contract';
import type { GranuleRecord } from '@kaptain/store';

/** A granule as the API shows it. */
export const showGranule = ({
  id,
  user,
  key,
  data,
  reloaded,
  deletedAt,
  deletedBy,
  ...rest
}: GranuleRecord): Granule => ({
  _id: id,
  user,
  key,
  data,
  reloaded,
  createdAt: rest.createdAt,
  updatedAt: rest.updatedAt,
  version: rest.version,
  ...(deletedAt !== null && { deletedAt, deletedBy }),
  ...(rest.dataBytes !== undefined && { dataBytes: rest.dataBytes }),
});
