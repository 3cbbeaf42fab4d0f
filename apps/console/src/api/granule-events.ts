import { ApiError } from '@kaptain/contract/client';
import { GranuleSummary, granules } from '@kaptain/contract/granules';
import { useEffect, useState } from 'react';
import { readEvents } from './read-events.ts';
import { service } from './service.ts';

const LONGEST_PAUSE_MS = 30_000;

/** The counts as the service last told them, and when. */
export interface LiveCounts {
  counts: GranuleSummary;
  at: number;
  /** The first ones of a connection tell how things are, all others that something has changed. */
  isFirst: boolean;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

function parseCounts(data: string): GranuleSummary | undefined {
  try {
    return GranuleSummary.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

/** Listens until the signal; a broken connection is made again, ever more slowly. */
async function listen(id: string, signal: AbortSignal, onCounts: (live: LiveCounts) => void) {
  let failures = 0;
  // EventSource can't carry the bearer header, so the stream is read as it comes and the call ends with it.
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
      // Refused or unknown to this service: asking again would change nothing.
      if (error instanceof ApiError && error.status >= 400 && error.status < 502 && error.status !== 429)
        return;
    }
    const longest = Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures++);
    await pause(longest * (0.5 + Math.random() / 2), signal);
  }
}

/** The counts of a kapsule as they change; nothing while the service does not tell. */
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
