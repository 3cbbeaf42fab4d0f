import type { Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Attempts } from '../passwords/attempts.ts';
import { refuseGuessable } from '../passwords/guessable-passwords.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { RecentProof } from '../second-factor/identity.ts';
import { endSessions } from '../sessions/revoke.ts';
import { keptQlikId } from '../users/author-name.ts';

export interface ChangePasswordDeps {
  store: Store;
  passwords: Passwords;
  attempts: Attempts;
  recentProof: RecentProof;
  clock: () => number;
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

const WRONG = 'The current password is not right, or the account is temporarily locked.';

const SAME = 'Please choose another password than the present one.';

/** Verifies the current password under the same counter, lock and limits as a login. */
export const changePassword =
  ({ passwords, attempts, recentProof, clock }: ChangePasswordDeps) =>
  async (change: PasswordChange, call: Call<'loggedIn'>): Promise<void> => {
    const { userId, username, sessionId, hasSecondFactor } = call.caller;
    // The password alone must not replace itself where it is not all that is asked for.
    if (hasSecondFactor) recentProof.require('always', call.caller);
    refuseGuessable(change.newPassword, username);
    const isSame = change.newPassword === change.currentPassword;
    let newHash = '';
    await attempts(
      {
        userId,
        username,
        async verify(hash) {
          const isRight = await passwords.verify(hash, change.currentPassword);
          if (isRight && !isSame) newHash = await passwords.hash(change.newPassword);
          return isRight;
        },
        async accept(nouns, user, cleared) {
          // The session ended during the verification.
          if (!(await nouns.sessions.get(sessionId))) throw new AppError('NOT_LOGGED_IN');
          // The password is right, so that the attempt counts as a success; that nothing changes is told below.
          if (isSame) {
            await nouns.users.patch(userId, cleared);
            return true;
          }
          const updatedAt = new Date(clock()).toISOString();
          const qlikIdGiven = keptQlikId(user);
          await nouns.users.patch(userId, { ...cleared, passwordHash: newHash, qlikIdGiven, updatedAt });
          const endedSessions = await endSessions(nouns, userId, sessionId);
          await audit(nouns, call, clock(), {
            action: 'account.password',
            target: { noun: 'user', id: userId, name: user.username },
            after: { password: 'changed', endedSessions },
          });
          return true;
        },
        action: 'account.password',
        refusal: () => new AppError('WRONG_PASSWORD', WRONG),
        gone: () => new AppError('NOT_LOGGED_IN'),
      },
      call,
    );
    if (isSame) throw new AppError('BAD_INPUT', SAME);
  };
