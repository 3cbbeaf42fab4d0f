import { limits } from '@kaptain/contract';
import { foldName } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { DataApiDeps } from '../data-api/data-api-deps.ts';
import { visible } from '../kapsules/kapsule-access.ts';
import { hasPeople } from './known-values.ts';

/** The first ones, in order, that have this part; no more of them are sorted at once than are offered. */
async function matching(all: Iterable<string>, q: string): Promise<string[]> {
  const wanted = foldName(q);
  const slice = new TimeSlice();
  let first: string[] = [];
  for (const value of all) {
    if (foldName(value).includes(wanted)) first.push(value);
    if (first.length === 2 * limits.valuesOffered) first = first.toSorted().slice(0, limits.valuesOffered);
    await slice.pause();
  }
  return first.toSorted().slice(0, limits.valuesOffered);
}

/** Offers values of a field whose choices are not in the kapsule, a few at a time. */
export const offeredValues =
  ({ store, readKnownValues }: Pick<DataApiDeps, 'store' | 'readKnownValues'>) =>
  async (id: string, { field: name, q }: { field: string; q: string }, { caller }: KnownCall) => {
    const { kapsule } = await visible(store, id, caller);
    const field = kapsule.fields.find((one) => one.name === name);
    if (!field) throw new AppError('BAD_INPUT', `There is no field ${JSON.stringify(name)}.`);
    const { choices, people } = await readKnownValues(kapsule, caller);
    const own = field.choices?.map(({ value }) => value) ?? [];
    return { values: await matching((hasPeople(field) ? people : choices?.get(name)) ?? own, q) };
  };
