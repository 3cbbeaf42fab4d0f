import { limits } from '@kaptain/contract';
import { foldName } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { DataApiDeps } from '../data-api/data-api-deps.ts';
import { visible } from '../kapsules/kapsule-access.ts';
import { hasPeople } from './known-values.ts';

/** Offers values of a field whose choices are not in the kapsule, a few at a time. */
export const offeredValues =
  ({ store, readKnownValues }: Pick<DataApiDeps, 'store' | 'readKnownValues'>) =>
  async (id: string, { field: name, q }: { field: string; q: string }, { caller }: KnownCall) => {
    const { kapsule } = await visible(store, id, caller);
    const field = kapsule.fields.find((one) => one.name === name);
    if (!field) throw new AppError('BAD_INPUT', `There is no field ${JSON.stringify(name)}.`);
    const { choices, people } = await readKnownValues(kapsule, caller);
    const own = field.choices?.map(({ value }) => value) ?? [];
    const all = [...((hasPeople(field) ? people : choices?.get(name)) ?? own)].toSorted();
    const wanted = foldName(q);
    const values = all.filter((value) => foldName(value).includes(wanted));
    return { values: values.slice(0, limits.valuesOffered) };
  };
