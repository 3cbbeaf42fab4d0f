import { type LogEntry, parsePlatformUser } from '@kaptain/contract';
import type { KnownCall } from '../../http/call.ts';
import { requireOwnApp } from '../../jobs/loaded-kapsules.ts';
import { requestReload } from '../../jobs/request-reload.ts';
import { writable } from '../../kapsule-rules/kapsule-access.ts';
import type { DataApiDeps } from './data-api-deps.ts';
import { presentWriter } from './writer.ts';

/** Queues a reload after a save; allowed to callers who may change the granules. */
export const reloadHandler =
  ({ store, clock }: DataApiDeps) =>
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
