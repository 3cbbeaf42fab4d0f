import { type LogEntry, parsePlatformUser } from '@kaptain/contract';
import type { KnownCall } from '../../http/call.ts';
import { requireOwnApp } from '../../jobs/loaded-kapsules.ts';
import { requestReload } from '../../jobs/request-reload.ts';
import { changeable } from '../../kapsule-rules/kapsule-access.ts';
import { presentCaller } from '../../security/present-caller.ts';
import { authorOf } from './author.ts';
import type { DataApiDeps } from './data-api-deps.ts';

/** Queues a reload after a save; allowed to callers who may change the granules. */
export const reloadHandler =
  ({ store, clock }: DataApiDeps) =>
  (id: string, partial: boolean, call: KnownCall): Promise<LogEntry> =>
    store.transaction(async (unit) => {
      const caller = await presentCaller(unit, call.caller);
      const { kapsule } = await changeable(unit, id, caller);
      const appId = kapsule.appId ?? '';
      requireOwnApp(kapsule, appId);
      const qlikUser = parsePlatformUser(authorOf(call, caller.user));
      const reloadRequest = {
        appId,
        kapsule,
        partial,
        trigger: 'dataApi',
        userId: caller.userId,
        qlikUser,
      } as const;
      return requestReload(unit, reloadRequest, call, clock());
    });
