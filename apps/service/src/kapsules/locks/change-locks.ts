import { isDeepStrictEqual } from 'node:util';
import type { Lock } from '@kaptain/contract/locks';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { requireMatch } from '../../http/server/require-match.ts';
import { presentCaller } from '../../identity/sessions/present-caller.ts';
import type { KapsulesDeps } from '../kapsules/create-kapsule.ts';
import { changeable, targetOf } from '../kapsules/kapsule-access.ts';
import { requireRoomToGrow } from '../kapsules/kapsule-room.ts';
import { requireGroupsOf, requireOpener, requireSoundLocks } from './require-sound-locks.ts';
import { whileTableHeld } from './while-table-held.ts';

/** Those that another list lacks. */
const without = (locks: readonly Lock[], others: readonly Lock[]): Lock[] =>
  locks.filter((lock) => !others.some((other) => isDeepStrictEqual(lock, other)));

/** Replaces the locks of a kapsule. Saves that began before and commit later meet them. */
export const changeLocks =
  ({ store, dataSources, clock, settings }: KapsulesDeps) =>
  async (id: string, locks: Lock[], call: Call<'loggedIn'>): Promise<void> => {
    const asked = await presentCaller(store, call.caller);
    const { kapsule: found } = await changeable(store, id, asked);
    requireMatch(call, found.version);
    await whileTableHeld({ store, dataSources }, found, async (unit) => {
      const caller = await presentCaller(unit, call.caller);
      const { kapsule } = await changeable(unit, id, caller);
      requireMatch(call, kapsule.version);
      requireSoundLocks(locks, kapsule.fields);
      requireOpener(kapsule, locks, caller);
      await requireGroupsOf(unit, kapsule, locks);
      const before = kapsule.locks ?? [];
      if (isDeepStrictEqual(before, locks)) return;
      const updatedAt = new Date(clock()).toISOString();
      await unit.kapsules.patch(id, { locks, updatedAt });
      await requireRoomToGrow(unit, settings.current().kapsuleLimits, caller, kapsule.ownerId);
      await audit(unit, call, clock(), {
        action: 'kapsule.locks',
        target: targetOf(kapsule),
        before: { locks: without(before, locks) },
        after: { locks: without(locks, before) },
      });
    });
  };
