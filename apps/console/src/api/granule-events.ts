import { ApiError } from '@kaptain/contract/client';
import { GranuleSummary, granules } from '@kaptain/contract/granules';
import { useEffect, useState } from 'react';
import { readEvents } from './read-events.ts';
import { service } from './service.ts';

const LONGEST_PAUSE_MS = 30_000;

const abortablePause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The counts of the last event, and the time it arrived. */
export interface LiveCounts {
  counts: GranuleSummary;
  at: number;
  /** The first event of a connection tells the present counts; every later one tells a change. */
  isFirst: boolean;
}

function parseCounts(data: string): GranuleSummary | undefined {
  try {
    return GranuleSummary.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

/** Listens until the signal aborts or the service refuses; reconnects after a broken connection, with exponential back-off. */
export async function listen(
  id: string,
  signal: AbortSignal,
  onCounts: (live: LiveCounts) => void,
  pause = abortablePause,
): Promise<void> {
  let failures = 0;
  // EventSource can't send the bearer header: the stream is read here, and the call ends with it.
  const reading: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || !response.body) return response;
    let isFirst = true;
    await readEvents(response.body, (data) => {
      failures = 0;
      const counts = parseCounts(data);
      if (counts) onCounts({ counts, at: Date.now(), isFirst });
      isFirst = false;
    });
    return new Response();
  };
  const calls = service({ granules }, reading).granules;
  while (!signal.aborted) {
    try {
      await calls.events({ params: { id } }, { signal });
    } catch (error) {
      // The service refuses the call or does not know it: another attempt would get the same answer.
      if (error instanceof ApiError && error.status >= 400 && error.status < 502 && error.status !== 429)
        return;
    }
    const longest = Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures++);
    await pause(longest * (0.5 + Math.random() / 2), signal);
  }
}

/** The counts of a kapsule as they change; undefined before the first event. */
export function useLiveCounts(id: string, isWanted: boolean): LiveCounts | undefined {
  const [live, setLive] = useState<LiveCounts>();
  useEffect(() => {
    if (!isWanted) return undefined;
    const stop = new AbortController();
    void listen(id, stop.signal, setLive);
    return () => stop.abort();
  }, [id, isWanted]);
  return live;
}
