import { limits } from '@kaptain/contract';
import type { GranuleFilter, GranuleRecord, KapsuleRecord } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { rowRefusals } from '../locks/held-rows.ts';
import { seenLocksOf } from '../locks/seen-locks-of.ts';
import { RefusedValues } from '../values/refused-values.ts';
import type { GranulesDeps } from './granules-deps.ts';
import { granulesOf } from './granules-of.ts';

type Deps = Pick<GranulesDeps, 'store' | 'dataSources' | 'clock'>;
type Line = Pick<GranuleRecord, 'key' | 'data'>;

const ID_START = '{"_id":"'.length;

const idIn = (line: string): string => line.slice(ID_START, line.indexOf('"', ID_START));

export const changed = () =>
  new AppError('CONFLICT', 'The records have changed meanwhile. Please look at them again.');

interface Selection {
  filter: GranuleFilter;
  /** As many as the caller saw. */
  expected: number;
  way: 'removed' | 'restored';
}

/** The ids of the granules that match a filter; throws when they are not as many as expected, or when a lock closes one of them. */
export async function idsMatching(
  deps: Deps,
  kapsule: KapsuleRecord,
  { filter, expected, way }: Selection,
  caller: Caller,
): Promise<string[]> {
  if (expected > limits.granulesPerDelete)
    throw new AppError('TOO_LARGE', `At most ${limits.granulesPerDelete} records can be changed at once.`);
  const locks = await seenLocksOf(deps.store, kapsule, caller, deps.clock());
  const refusalsOf = rowRefusals(kapsule, locks, way);
  const refused = new RefusedValues();
  const slice = new TimeSlice();
  const ids: string[] = [];
  for await (const lines of granulesOf(deps, kapsule).stream(kapsule.id, filter)) {
    for (const line of Buffer.from(lines).toString().slice(0, -1).split('\n')) {
      ids.push(idIn(line));
      if (locks.length === 0) continue;
      const { key, data } = JSON.parse(line) as Line;
      refused.add(key, refusalsOf(data));
      await slice.pause();
    }
    if (ids.length > expected) throw changed();
  }
  if (ids.length !== expected) throw changed();
  refused.end();
  return ids;
}

/** The ids of the granules of these keys; a look-up answers as many as fit into its bytes. */
export async function idsOfKeys(
  deps: Deps,
  kapsule: KapsuleRecord,
  keys: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  let rest = [...new Set(keys)];
  while (rest.length > 0) {
    const found = await granulesOf(deps, kapsule).lookup(kapsule.id, rest);
    for (const granule of found) if (granule) ids.push(granule.id);
    rest = rest.slice(Math.max(1, found.length));
  }
  return ids;
}
