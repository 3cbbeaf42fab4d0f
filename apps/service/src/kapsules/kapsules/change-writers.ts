import { maySetWriters, type Writers } from '@kaptain/contract';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import type { KapsulesDeps } from './create-kapsule.ts';
import { readable, targetOf } from './kapsule-access.ts';

/** Sets who may save granules of a kapsule; an unchanged choice is neither stored nor audited. */
export const changeWriters =
  ({ store, clock }: Pick<KapsulesDeps, 'store' | 'clock'>) =>
  (id: string, writers: Writers, call: Call<'loggedIn'>): Promise<void> =>
    store.transaction(async (nouns) => {
      const caller = await presentCaller(nouns, call.caller);
      const { kapsule } = await readable(nouns, id, caller);
      if (!maySetWriters(caller, kapsule)) throw new AppError('FORBIDDEN');
      const before = kapsule.writers ?? 'DELETE';
      if (before === writers) return;
      await nouns.kapsules.patch(id, { writers, updatedAt: new Date(clock()).toISOString() });
      await audit(nouns, call, clock(), {
        action: 'kapsule.writers',
        target: targetOf(kapsule),
        before: { writers: before },
        after: { writers },
      });
    });
