import type { Nouns } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import { NAMED_KAPSULES } from '../tuning.ts';

/** The names of the kapsules with these ids that exist. Their definitions may be many megabytes, so few are read one by one. */
export async function kapsuleNames(
  { kapsules }: Pick<Nouns, 'kapsules'>,
  ids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  if (ids.size > NAMED_KAPSULES) {
    const all = await kapsules.all();
    return new Map(all.filter(({ id }) => ids.has(id)).map(({ id, name }) => [id, name]));
  }
  const names = new Map<string, string>();
  const slice = new TimeSlice();
  for (const id of ids) {
    const kapsule = await kapsules.get(id);
    if (kapsule) names.set(id, kapsule.name);
    if (slice.isOver) await slice.pause();
  }
  return names;
}
