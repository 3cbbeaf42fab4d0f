import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from './access.ts';
import { openSession } from './engine.ts';
import { PlatformError } from './errors.ts';
import type { Platform, PlatformApp, ReloadProgress, ReloadResult, Timeouts } from './platform.ts';
import { type RestCall, restJson, restText } from './rest.ts';
import { withBackOff } from './retry.ts';

/** https://qlik.dev/apis/rest/reloads/ */
interface Reload {
  id: string;
  status: 'QUEUED' | 'RELOADING' | 'CANCELING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'EXCEEDED_LIMIT';
  errorMessage?: string;
}
/** https://qlik.dev/apis/rest/items/ */
interface ItemPage {
  data: { resourceId: string; name: string }[];
  links?: { next?: { href?: string } };
}

const progressTexts: Partial<Record<Reload['status'], string>> = {
  QUEUED: 'Waiting for the platform to start the reload.',
  RELOADING: 'Running the script.',
  CANCELING: 'Stopping the reload.',
};

const MAX_PAGES = 100;
const SCRIPT_LOG_BYTES = 64 * 1024 * 1024;
const MAX_FAILURES = 5;
/** A tenant reports no progress between start and end, and stops reloads of several hours itself. */
const STALLED_FACTOR = 4;

/** SAAS: starts and polls reloads by REST; uses the engine only to open apps. */
export function saasPlatform(access: Access, timeouts: Timeouts): Platform {
  const call = (path: string, rest: Omit<RestCall, 'url' | 'headers'> = {}): RestCall => ({
    url: new URL(`${access.rest?.href}/${path}`),
    headers: access.headers(),
    ...rest,
  });
  const ask = <T>(path: string, rest?: Omit<RestCall, 'url' | 'headers'>) =>
    withBackOff(() => restJson<T>(call(path, rest), timeouts));
  const reloadPath = (id: string, more = '') => `reloads/${encodeURIComponent(id)}${more}`;

  const cancel = (id: string) =>
    withBackOff(() => restText(call(reloadPath(id, '/actions/cancel'), { method: 'POST' }), timeouts));

  async function pollReload(
    started: Reload,
    onProgress: (progress: ReloadProgress) => void,
    signal: AbortSignal,
  ): Promise<Reload> {
    let reload = started;
    let lastLog = '';
    let since = performance.now();
    let isCancelSent = false;
    let failures = 0;
    for (;;) {
      const text = progressTexts[reload.status];
      if (text === undefined) return reload;
      if (reload.status !== lastLog) {
        [lastLog, since] = [reload.status, performance.now()];
        onProgress({ fraction: null, text });
      } else if (performance.now() - since > STALLED_FACTOR * timeouts.stalledMs)
        throw new PlatformError('timeout', `The reload on ${access.engine.host} takes too long.`);
      if (signal.aborted && !isCancelSent) {
        isCancelSent = true;
        await cancel(reload.id);
      }
      await sleep(timeouts.progressMs, undefined, isCancelSent ? {} : { signal }).catch(() => undefined);
      try {
        reload = await ask<Reload>(reloadPath(reload.id));
        failures = 0;
      } catch (error) {
        // The reload continues on the tenant, so transient failures of polling are retried.
        const isTransient = error instanceof PlatformError && error.isPassing;
        if (!isTransient || ++failures > MAX_FAILURES) throw error;
      }
    }
  }

  return {
    async whoAmI() {
      const me = await restJson<{ id: string; subject?: string }>(call('users/me'), timeouts);
      return { userId: me.subject || me.id, userDirectory: '' };
    },
    async listApps() {
      const apps: PlatformApp[] = [];
      let path: string | undefined = 'items?resourceType=app&limit=100';
      for (let page = 0; path !== undefined && page < MAX_PAGES; page++) {
        const { data, links }: ItemPage = await ask<ItemPage>(path);
        apps.push(...data.map(({ resourceId, name }) => ({ id: resourceId, name })));
        // Only the query is used, so that the answer can't redirect the API key to another host.
        const query: string = links?.next?.href
          ? new URL(links.next.href, access.rest ?? undefined).search
          : '';
        path = query === '' ? undefined : `items${query}`;
      }
      return apps;
    },
    async openApp(appId) {
      const session = await withBackOff(() => openSession(access, timeouts, appId));
      try {
        const doc = await session.ask(session.global.openDoc(appId, '', '', '', true));
        const { qTitle } = await session.ask(doc.getAppLayout());
        return { id: appId, name: qTitle || appId };
      } finally {
        session.close();
      }
    },
    async reload({ appId, partial }, onProgress, signal): Promise<ReloadResult> {
      // Without retry: an order that was accepted but not answered would run twice.
      const started = await restJson<Reload>(
        call('reloads', { method: 'POST', body: { appId, partial } }),
        timeouts,
      );
      const { id, status, errorMessage } = await pollReload(started, onProgress, signal).catch(
        async (error: unknown) => {
          // Cancelled, so that a retry does not meet this reload still running.
          await cancel(started.id).catch(() => undefined);
          throw error;
        },
      );
      if (status === 'SUCCEEDED') return { status: 'succeeded', failReason: null, scriptLogFile: id };
      if (status === 'CANCELED') return { status: 'cancelled', failReason: null, scriptLogFile: id };
      const failReason = errorMessage || `The platform ended the reload as ${status}.`;
      return { status: 'failed', failReason: failReason.slice(0, 1000), scriptLogFile: id };
    },
    /** https://qlik.dev/apis/rest/apps/ "Retrieves the log of a specific reload" */
    scriptLog: (appId, reloadId) =>
      withBackOff(() =>
        restText(
          call(`apps/${encodeURIComponent(appId)}/reloads/logs/${encodeURIComponent(reloadId)}`, {
            maxBytes: SCRIPT_LOG_BYTES,
          }),
          timeouts,
        ),
      ),
  };
}
