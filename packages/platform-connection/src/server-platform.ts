import { parsePlatformUser } from '@kaptain/contract';
import type { Access } from './access.ts';
import { type EngineSession, openSession } from './engine.ts';
import { engineReload } from './engine-reload.ts';
import type { Platform, PlatformApp, Timeouts } from './platform.ts';
import { repositoryApps, repositoryVersion } from './repository.ts';
import { withBackOff } from './retry.ts';

/** CERT, JWT and DESKTOP: an engine and, except for DESKTOP, a repository. */
export function serverPlatform(access: Access, timeouts: Timeouts): Platform {
  async function withSession<T>(
    appId: string | undefined,
    work: (session: EngineSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const session = await withBackOff(() => openSession(access, timeouts, appId), signal);
    try {
      return await work(session);
    } finally {
      session.close();
    }
  }

  return {
    async whoAmI() {
      const session = await openSession(access, timeouts);
      try {
        const user = parsePlatformUser(await session.ask(session.global.getAuthenticatedUser()));
        if (access.rest) await repositoryVersion(access, timeouts);
        return user;
      } finally {
        session.close();
      }
    },
    async listApps() {
      if (access.rest) return withBackOff(() => repositoryApps(access, timeouts));
      const list = await withSession(undefined, ({ ask, global }) => ask(global.getDocList()));
      return list.map(({ qDocId, qTitle, qDocName }) => ({ id: qDocId, name: qTitle || qDocName || qDocId }));
    },
    openApp: (appId): Promise<PlatformApp> =>
      withSession(appId, async ({ ask, global }) => {
        // Opened without data, because only the permission to open it is tested.
        const doc = await ask(global.openDoc(appId, '', '', '', true));
        const { qTitle } = await ask(doc.getAppLayout());
        return { id: appId, name: qTitle || appId };
      }),
    reload: (order, onProgress, signal) =>
      withSession(
        order.appId,
        (session) => engineReload(session, order, onProgress, signal, timeouts),
        signal,
      ),
    // The log is a file on the engine's disk; no public call returns it.
    scriptLog: async () => undefined,
  };
}
