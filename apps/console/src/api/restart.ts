import { ApiError } from '@kaptain/contract/client';
import { settings } from '@kaptain/contract/settings';
import { answers, serviceAnswers, versionAt } from './reachability.ts';
import { type RestartProgress, restartProgress } from './restart-progress.ts';
import { service, urlOf } from './service.ts';

const calls = service({ settings }).settings;

interface WaitOptions {
  /** Before the service is first asked. Spec 9: the page is reloaded after about 3 seconds. */
  firstMs?: number;
  everyMs?: number;
  attempts?: number;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const isTooSoon = (error: unknown) => error instanceof ApiError && error.status === 429;

/**
 * Requests the restart, and again after a pause while the service refuses because of a recent one.
 * A broken connection counts as success: the restart may cut it.
 */
export async function restartService({ everyMs = 2000, attempts = 8 }: WaitOptions = {}): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await calls.restart();
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) return;
      if (!isTooSoon(error) || attempt >= attempts) throw error;
      await pause(everyMs);
    }
  }
}

/** Waits until the service answers again; false after the time limit. */
export async function waitForService({ firstMs = 3000, everyMs = 1000, attempts = 120 }: WaitOptions = {}) {
  await pause(firstMs);
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (await serviceAnswers()) return true;
    await pause(everyMs);
  }
  return false;
}

/**
 * Waits until all instances on the database have restarted or failed to, for two minutes at most: behind a load balancer, one that has not
 * answers with the settings from before. A service that does not list instances is not waited for.
 */
export async function waitForInstances(
  onProgress: (progress: RestartProgress) => void,
  { everyMs = 1000, attempts = 120 }: WaitOptions = {},
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const progress = restartProgress((await calls.state()).instances);
      if (progress.isOver) return;
      onProgress(progress);
    } catch (error) {
      // Refused or unknown: the reloaded page tells which. Without an answer, the next instance may give one.
      if (error instanceof ApiError && error.status > 0 && error.status < 500) return;
    }
    await pause(everyMs);
  }
}

/**
 * The address of the console after a change of http/https. Undefined without a change, when the page calls a service at
 * another address, and when its scheme is not the service's: then a proxy is in front, which keeps its own address.
 */
export function addressAfter(before: boolean, after: boolean, page: string): string | undefined {
  const address = new URL(page);
  const scheme = (isSecure: boolean) => (isSecure ? 'https:' : 'http:');
  if (before === after || address.protocol !== scheme(before) || urlOf('') !== '') return undefined;
  address.protocol = scheme(after);
  return address.href;
}

/**
 * Waits until the service answers with https, or no longer with the present scheme: a page with https may not ask with
 * http, and a certificate that the browser does not trust looks like no answer. If the present scheme goes on
 * answering, the service has rolled the change back.
 */
export async function waitForMove(
  to: string,
  { firstMs = 3000, everyMs = 1000, attempts = 40 }: WaitOptions = {},
) {
  await pause(firstMs);
  const there = versionAt(to);
  let silent = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (to.startsWith('https:') && (await answers(there, 'no-cors'))) return true;
    silent = (await serviceAnswers()) ? 0 : silent + 1;
    if (silent === 4) return true;
    await pause(everyMs);
  }
  return false;
}
