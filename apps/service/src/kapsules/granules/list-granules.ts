import type { api, Given, GranulePage } from '@kaptain/contract';
import type { GranuleSort } from '@kaptain/store';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { JsonStream } from '../../http/downloads/downloads.ts';
import { jsonArray } from '../export/json-array.ts';
import { readable } from '../kapsules/kapsule-access.ts';
import { SCANNED_GRANULES } from '../tuning.ts';
import { sortFieldOf } from './field-conditions.ts';
import { filterOf } from './filter.ts';
import type { GranulesDeps } from './granules-deps.ts';
import { granulesOf, longWorkLimitOf } from './granules-of.ts';
import { requireBinding } from './require-binding.ts';
import { ScanQueue } from './scan-queue.ts';
import { showGranule } from './show-granule.ts';

type Query = Given<typeof api.granules.list>['query'];

const STANDARD_SIZE = 100;
const pageOptions = ['page', 'size', 'next', 'q', 'reloaded', 'deleted', 'where', 'sort'] as const;

/**
 * The offset of the page, or of its continuation after it was cut; always inside the page, so that no row is sent
 * twice.
 */
function startOf({ next }: Query, first: number, size: number): number {
  const start = next === undefined ? first : Number(next);
  if (start >= first && start < first + size) return start;
  throw new AppError('BAD_INPUT', 'next does not belong to this page and size.');
}

export function listGranules({ store, dataSources }: GranulesDeps) {
  const scans = new ScanQueue();
  return async (id: string, query: Query, call: Call<'loggedIn'>): Promise<GranulePage | JsonStream> => {
    const { caller } = call;
    const { kapsule } = await readable(store, id, caller);
    requireBinding(query, kapsule);
    const granules = granulesOf({ store, dataSources }, kapsule);
    if (pageOptions.every((option) => query[option] === undefined))
      return new JsonStream({
        chunks: jsonArray(granules.stream(id, {})),
        limit: await longWorkLimitOf(dataSources, kapsule),
        check: (present) => readable(store, id, present),
      });
    const { page = 1, size = STANDARD_SIZE, sort = '-updatedAt' } = query;
    const filter = filterOf(query, kapsule, caller);
    const sortField = sortFieldOf(sort, kapsule);
    const first = (page - 1) * size;
    const start = startOf(query, first, size);
    const read = () =>
      granules.page(id, {
        ...filter,
        sort: sortField ? 'key' : (sort.replace('-', '') as GranuleSort),
        ...(sortField && { sortField }),
        descending: sort.startsWith('-'),
        offset: start,
        limit: first + size - start,
      });
    const counting = granules.counts(id);
    const isScan = filter.where !== undefined || sortField !== undefined;
    const reading =
      isScan && (await counting).total > SCANNED_GRANULES
        ? scans.run(caller.userId, call.gone(), read)
        : read();
    const [{ rows, total, totalIsExact, isCut, isPartial }, summary] = await Promise.all([reading, counting]);
    const next = isCut ? { next: String(start + rows.length) } : {};
    const partial = isPartial ? { isPartial } : {};
    return { data: rows.map(showGranule), total, totalIsExact, ...partial, summary, ...next };
  };
}
