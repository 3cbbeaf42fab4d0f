import type { Nouns } from '@kaptain/store';

/** Removes the views of a kapsule that can't be restored. */
export async function removeViews({ views }: Pick<Nouns, 'views'>, kapsuleId: string): Promise<void> {
  const all = await views.findBy('kapsuleId', kapsuleId);
  await views.removeMany(all.map(({ id }) => id));
}
