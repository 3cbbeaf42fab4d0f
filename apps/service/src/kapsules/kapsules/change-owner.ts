import type { Call } from '../../base/call/call.ts';
import { requireStillAdmin } from '../../identity/sessions/require-still-admin.ts';
import type { KapsulesDeps } from './create-kapsule.ts';
import { giveKapsules } from './give-kapsules.ts';
import { noSuchKapsule } from './kapsule-access.ts';

/** Gives kapsules another owner: all of them, or none when one does not exist. */
export const changeOwner =
  ({ store, clock }: Pick<KapsulesDeps, 'store' | 'clock'>) =>
  (kapsuleIds: readonly string[], userId: string, call: Call<'admin'>): Promise<void> =>
    store.transaction(async (nouns) => {
      await requireStillAdmin(nouns, call);
      const found = await Promise.all([...new Set(kapsuleIds)].map((id) => nouns.kapsules.get(id)));
      const kapsules = found.filter((kapsule) => kapsule !== undefined);
      if (kapsules.length < found.length) throw noSuchKapsule();
      await giveKapsules(nouns, call, clock(), kapsules, userId);
    });
