/** Set by `npm run test:full`: floods, kills and races at their full size, and what takes too long for `npm test`. */
export const isFullTest: boolean = process.env['KAPTAIN_TEST_FULL'] === '1';

/** How often or how many. */
export const sized = (full: number, usual: number): number => (isFullTest ? full : usual);

/**
 * What "at once" means to a caller while a server is away: two seconds, held to the letter by `npm run test:full` on a quiet
 * machine. Elsewhere ten times as long still tells an answer from a caller that is left waiting.
 */
export const soonMs: number = sized(2_000, 20_000);

/** All of them at full size; otherwise every n-th, beginning with another one in each turn. */
export const inTurn = <T>(all: readonly T[], turn: number, every: number): T[] =>
  all.filter((_, index) => isFullTest || (index + turn) % every === 0);
