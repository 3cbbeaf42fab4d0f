import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { clearedAttempts } from '../passwords/lockout.ts';
import { requireStillAdmin } from '../sessions/require-still-admin.ts';
import { targetOf, type UsersDeps } from './user-record.ts';

export const unlockUser =
  ({ store, clock }: UsersDeps) =>
  (id: string, call: Call<'firstAdmin'>): Promise<void> =>
    store.transaction(async (nouns) => {
      await requireStillAdmin(nouns, call);
      const user = await nouns.users.get(id);
      if (!user) throw new AppError('NOT_FOUND', 'There is no such user.');
      await nouns.users.patch(id, clearedAttempts);
      await audit(nouns, call, clock(), {
        action: 'user.unlock',
        target: targetOf(user),
        before: { lockTime: user.lockTime, loginAttempts: user.loginAttempts },
        after: { lockTime: null, loginAttempts: 0 },
      });
    });
