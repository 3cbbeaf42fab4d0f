/** A random number generator with a fixed seed (mulberry32), so that every start has the same data. */
let state = 20_261_115;

/** Sets the seed for another part of the data, the same at every start. */
export function reseed(part: number): void {
  state = 20_261_115 + part * 7919;
}

export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

export const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));

export function oneOf<T>(list: readonly T[]): T {
  const chosen = list[whole(0, list.length - 1)];
  if (chosen === undefined) throw new Error('Nothing to choose from.');
  return chosen;
}

const start = Date.now();
/** The timestamp that many minutes before the start of this process. */
export const minutesAgo = (minutes: number): string => new Date(start - minutes * 60_000).toISOString();
