import { useSyncExternalStore } from 'react';
import { urlOf } from './service.ts';

const VERSION = '/app/version';
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;

/** The statuses with which a proxy tells that the service does not answer, or the service that it is stopping. */
const isGatewayError = (status: number) => [502, 503, 504].includes(status);

export async function answers(address: string, mode: RequestMode): Promise<boolean> {
  try {
    const { status } = await fetch(address, { mode, cache: 'no-store', signal: AbortSignal.timeout(5000) });
    return !isGatewayError(status);
  } catch {
    return false;
  }
}

export const serviceAnswers = (): Promise<boolean> => answers(urlOf(VERSION), 'cors');
export const versionAt = (origin: string): string => new URL(VERSION, origin).href;

let isAway = false;
let probing: Promise<void> | undefined;
let endPause = () => {};
const listeners = new Set<() => void>();

function setAway(value: boolean): void {
  if (value === isAway) return;
  isAway = value;
  for (const listener of listeners) listener();
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });

async function probeUntilAnswered(): Promise<void> {
  for (let ms = FIRST_PAUSE_MS; !(await serviceAnswers()); ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
    setAway(true);
    await pause(ms);
  }
  setAway(false);
}

/** Resolves when the service answers. Probes it with exponential back-off; all callers wait for the same probes. */
export function untilServiceAnswers(): Promise<void> {
  probing ??= probeUntilAnswered().finally(() => {
    probing = undefined;
  });
  return probing;
}

/** Probes the service now, also during the pause between two probes. */
export function probeNow(): void {
  endPause();
  void untilServiceAnswers();
}

/** Whether the last probe got no answer. */
export const useIsServiceAway = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAway,
  );
