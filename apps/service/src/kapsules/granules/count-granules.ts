import type { api, Given } from '@kaptain/contract';
import type { Call } from '../../base/call/call.ts';
import { ConcurrencyLimit } from '../../http/limits/concurrency-limit.ts';
import { readable } from '../kapsules/kapsule-access.ts';
import { filterOf } from './filter.ts';
import type { GranulesDeps } from './granules-deps.ts';
import { granulesOf, longWorkLimitOf } from './granules-of.ts';

type Query = Given<typeof api.granules.countMatching>['query'];

const NEWLINE = 10;
const tooMany = 'Too many counts are in progress. Please wait until one has ended.';

function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let index = chunk.indexOf(NEWLINE); index >= 0; index = chunk.indexOf(NEWLINE, index + 1)) lines += 1;
  return lines;
}

/**
 * Counts the lines of the stream that an export sends: one snapshot of any store and dialect, which other requests do
 * not wait for, and which ends when the caller disconnects.
 */
export function countGranules({ store, dataSources }: GranulesDeps) {
  const limit = new ConcurrencyLimit(2, 4);
  return async (id: string, query: Query, call: Call<'loggedIn'>): Promise<{ total: number }> => {
    const { kapsule } = await readable(store, id, call.caller);
    const filter = filterOf(query, kapsule, call.caller);
    const { userId } = call.caller;
    const gone = call.gone();
    const releases = [limit.acquire(userId, tooMany)];
    try {
      const inSource = await longWorkLimitOf(dataSources, kapsule);
      if (inSource) releases.push(inSource.acquire(userId, tooMany));
      let total = 0;
      for await (const chunk of granulesOf({ store, dataSources }, kapsule).stream(id, filter)) {
        if (gone.aborted) break;
        total += linesIn(chunk);
      }
      // The right may have been revoked while rows were counted.
      await readable(store, id, call.caller);
      return { total };
    } finally {
      for (const release of releases) release();
    }
  };
}
