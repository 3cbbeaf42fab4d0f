import { get } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/*
 * One person must not stop the others: measures another person's call beside a heavy one.
 *
 *   const url = await app.http.listen({ host: '127.0.0.1', port: 0 });
 *   const delays = await delaysBeside({
 *     other: () => drained(url, '/api/kapsule', vera.token),
 *     heavy: () => drained(url, `/api/kapsule/${id}/export?format=csv`, otto.token),
 *   });
 *   expect(delays).toEqual([]);
 */

interface Calls {
  /** Another person's small call; throws when it is not answered as it should be. */
  other: () => Promise<unknown>;
  heavy: () => Promise<unknown>;
  /** The idle times of the other person's calls, when they are measured already. */
  idle?: readonly number[];
}

/** How long each call took, in milliseconds. */
interface OthersBeside {
  /** The other person's calls before and after the heavy one … */
  idle: readonly number[];
  /** … and beside it. */
  beside: readonly number[];
  heavyMs: number;
}

const PAUSE_MS = 5;
const IDLE_CALLS = 20;
const TIMES_IDLE = 3;
const SHARE_OF_HEAVY = 1 / 4;
/** How long a call may wait for a processor on a busy machine. */
const FLOOR_MS = { median: 50, longest: 100 };

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Calls one after another, with a pause before each. A call counts from when it was due: a blocked event loop delays the pause too. */
async function repeated(
  call: () => Promise<unknown>,
  isEnough: (count: number) => boolean,
): Promise<number[]> {
  const times: number[] = [];
  do {
    const due = performance.now() + PAUSE_MS;
    await setTimeout(PAUSE_MS);
    await call();
    times.push(performance.now() - due);
  } while (!isEnough(times.length));
  return times;
}

const someTimes = (call: () => Promise<unknown>) => repeated(call, (count) => count >= IDLE_CALLS);

/** The times of a call while no other call runs. */
export async function idleTimes(call: () => Promise<unknown>): Promise<number[]> {
  // The first calls open connections and compile code.
  await someTimes(call);
  return someTimes(call);
}

/** Measures the other person's calls before, beside and after the heavy one; throws what a call throws. */
export async function othersBeside({ other, heavy, idle }: Calls): Promise<OthersBeside> {
  const before = idle ?? (await idleTimes(other));
  let isDone = false;
  const began = performance.now();
  const heavyMs = heavy().then(() => performance.now() - began);
  const ended = heavyMs.finally(() => {
    isDone = true;
  });
  const [beside] = await Promise.all([repeated(other, () => isDone), ended]);
  const after = idle ? [] : await someTimes(other);
  return { idle: [...before, ...after], beside, heavyMs: await heavyMs };
}

/** A sentence for each delay beyond what a heavy call may cause. */
export function delaysOf({ idle, beside, heavyMs }: OthersBeside): string[] {
  const allowed = {
    median: Math.max(TIMES_IDLE * median(idle), FLOOR_MS.median),
    // On a busy machine also some idle calls wait long.
    longest: Math.max(SHARE_OF_HEAVY * heavyMs, TIMES_IDLE * Math.max(...idle), FLOOR_MS.longest),
  };
  const found = { median: median(beside), longest: Math.max(...beside) };
  const told = (name: 'median' | 'longest') =>
    `the ${name} of ${beside.length} calls took ${found[name].toFixed(0)} ms instead of at most ${allowed[name].toFixed(0)} ms beside a call of ${heavyMs.toFixed(0)} ms`;
  return (['median', 'longest'] as const).filter((name) => found[name] > allowed[name]).map(told);
}

const TRIES = 3;

/** Measures again when there are delays: those of a busy machine do not repeat, those of the heavy call do. */
export async function delaysBeside(calls: Calls): Promise<string[]> {
  let delays: string[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    delays = delaysOf(await othersBeside(calls));
    if (delays.length === 0) break;
  }
  return delays;
}

/** Reads an answer to its end without keeping it; throws for any status but 200 and for a connection that is cut. */
export const drained = (url: string, path: string, token: string | undefined): Promise<{ bytes: number }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = get(url + path, { headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path} was answered with ${answer.statusCode}.`));
      let bytes = 0;
      answer.on('data', (part: Buffer) => (bytes += part.length));
      answer.on('error', reject).on('end', () => resolve({ bytes }));
    });
    asked.on('error', reject);
  });
