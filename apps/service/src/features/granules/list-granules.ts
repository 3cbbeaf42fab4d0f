import type { api, Given, Granule, GranulePage } from '@kaptain/contract';
import type { GranuleRecord, GranuleSort } from '@kaptain/store';
import { jsonArray } from '../../granule-formats/json-array.ts';
import type { Call } from '../../http/call.ts';
import { JsonStream } from '../../http/downloads.ts';
import { granulesOf, placesOf } from '../../kapsule-rules/granules-of.ts';
import { readable } from '../../kapsule-rules/kapsule-access.ts';
import { requireBinding } from './binding.ts';
import { filterOf } from './filter.ts';
import type { GranulesDeps } from './granules-deps.ts';

type Query = Given<typeof api.granules.list>['query'];

const STANDARD_SIZE = 100;
const pageOptions = ['page', 'size', 'q', 'reloaded', 'deleted', 'sort'] as const;

const shown = ({ id, user, key, data, reloaded, deletedAt, deletedBy, ...rest }: GranuleRecord): Granule => ({
  _id: id,
  user,
  key,
  data,
  reloaded,
  createdAt: rest.createdAt,
  updatedAt: rest.updatedAt,
  version: rest.version,
  ...(deletedAt !== null && { deletedAt, deletedBy }),
});

export function granuleList({ store }: GranulesDeps) {
  return async (
    id: string,
    query: Query,
    { caller }: Call<'loggedIn'>,
  ): Promise<GranulePage | JsonStream> => {
    const { kapsule } = await readable(store, id, caller);
    requireBinding(query, kapsule);
    const granules = granulesOf(store, kapsule);
    if (pageOptions.every((option) => query[option] === undefined))
      return new JsonStream({
        chunks: jsonArray(granules.stream(id, {})),
        places: await placesOf(store, kapsule),
        check: (present) => readable(store, id, present),
      });
    const { page = 1, size = STANDARD_SIZE, sort = '-updatedAt' } = query;
    const filter = filterOf(query, caller);
    const [{ rows, total, totalIsExact }, summary] = await Promise.all([
      granules.page(id, {
        ...filter,
        sort: sort.replace('-', '') as GranuleSort,
        descending: sort.startsWith('-'),
        offset: (page - 1) * size,
        limit: size,
      }),
      granules.counts(id),
    ]);
    return { data: rows.map(shown), total, totalIsExact, summary };
  };
}
