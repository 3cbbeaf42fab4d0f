import { limits, mentionOf } from '@kaptain/contract';
import { foldName } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { authorName } from '../../identity/users/author-name.ts';
import type { DataApiDeps } from '../data-api/data-api-deps.ts';
import { type Admitted, granuleSaving } from '../data-api/granule-saving.ts';
import { peopleOf } from '../values/people.ts';

/** The names of the people whom a writer may mention. */
export const mentionable =
  ({ store }: Pick<DataApiDeps, 'store'>) =>
  async ({ kapsule, writer: { caller } }: Admitted): Promise<string[]> => {
    const users = await peopleOf(store, kapsule, caller);
    return users
      .map(authorName)
      .filter((name) => mentionOf(name) !== undefined)
      .toSorted();
  };

/** Offers names for a mention, a few at a time. */
export function peopleSearch(deps: DataApiDeps) {
  const saving = granuleSaving(deps);
  const people = mentionable(deps);
  return async (id: string, q: string, call: KnownCall): Promise<{ people: string[] }> => {
    const wanted = foldName(q);
    const names = await people(await saving.admit(id, call));
    return { people: names.filter((name) => foldName(name).includes(wanted)).slice(0, limits.peopleOffered) };
  };
}
