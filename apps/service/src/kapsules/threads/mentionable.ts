import { limits, mentionOf } from '@kaptain/contract';
import { foldName } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { authorName } from '../../identity/users/author-name.ts';
import type { DataApiDeps } from '../data-api/data-api-deps.ts';
import { type Admitted, granuleSaving } from '../data-api/granule-saving.ts';
import { seen } from '../kapsules/kapsule-access.ts';

/**
 * The names of those who may read the kapsule as its owner or by a group, for a writer who may read it likewise. Other
 * writers, whom only EVERYONE lets in, learn no names; ADMINs are not listed, because their role says nothing about
 * this kapsule.
 */
export const mentionable =
  ({ store }: Pick<DataApiDeps, 'store'>) =>
  async ({ kapsule, writer: { caller } }: Admitted): Promise<string[]> => {
    if (!(await seen(store, kapsule.id, caller))) return [];
    const groups = await store.groups.findBy('kapsuleIds', kapsule.id);
    const ids = new Set([kapsule.ownerId, ...groups.flatMap(({ userIds }) => userIds)]);
    const users = (await store.users.all()).filter(({ id }) => ids.has(id));
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
