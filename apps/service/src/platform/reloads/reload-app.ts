import { type LogEntry, parsePlatformUser } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { presentWriter } from '../../kapsules/data-api/writer.ts';
import { writable } from '../../kapsules/kapsules/kapsule-access.ts';
import { requireOwnApp } from './loaded-kapsules.ts';
import { requestReload } from './request-reload.ts';

/** Queues a reload after a save; allowed to callers who may change the granules. */
export const reloadApp =
  ({ store, clock }: { store: Store; clock: () => number }) =>
  (id: string, partial: boolean, call: KnownCall): Promise<LogEntry> =>
    store.transaction(async (unit) => {
      const { caller, author } = await presentWriter(unit, call);
      const { kapsule } = await writable(unit, id, caller);
      const appId = kapsule.appId ?? '';
      requireOwnApp(kapsule, appId);
      const qlikUser = parsePlatformUser(author);
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
