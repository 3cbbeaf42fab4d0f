/**
 * How far a stored time may be ahead of the clock: the clocks of instances differ, and a clock may be set back a
 * little. A time further ahead was written while the clock was wrong.
 */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** Whether a time was written by a clock that was ahead of this one. */
export const isFromFuture = (isoTime: string, now: number): boolean =>
  Date.parse(isoTime) > now + CLOCK_TOLERANCE_MS;
