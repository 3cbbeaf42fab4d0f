import { type LogEntry, parsePlatformUser } from '@kaptain/contract';
import type { KnownCall } from '../../http/call.ts';
import { askForReload } from '../../jobs/ask-for-reload.ts';
import { requireOwnApp } from '../../jobs/loaded-kapsules.ts';
import { changeable } from '../../kapsule-rules/kapsule-access.ts';
import { presentCaller } from '../../security/present-caller.ts';
import { authorOf } from './author.ts';
import type { DataApiDeps } from './data-api-deps.ts';

/** Queues a reload after a save; allowed to callers who may change the granules. */
export const reloadAsking =
  ({ store, clock }: DataApiDeps) =>
  (id: string, partial: boolean, call: KnownCall): Promise<LogEntry> =>
    store.transaction(async (unit) => {
      const caller = await presentCaller(unit, call.caller);
      const { kapsule } = await changeable(unit, id, caller);
      const appId = kapsule.appId ?? '';
      requireOwnApp(kapsule, appId);
      const qlikUser = parsePlatformUser(authorOf(call, caller.user));
      const wish = { appId, kapsule, partial, trigger: 'dataApi', userId: caller.userId, qlikUser } as const;
      return askForReload(unit, wish, call, clock());
    });
