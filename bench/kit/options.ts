import { parseArgs } from 'node:util';

/*
 * The options of a bench: `npm run bench -- <name> [database…] [--rows 2000] [--rounds 1] [--seconds 1]`. With `--rows` it is
 * a trial that takes seconds: it judges no goal and writes nothing into RESULTS.md.
 */
const number = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rows: number, rounds: number, seconds: number },
});

export const isTrial = values.rows !== undefined;
/** The databases to measure; none named means all. */
export const wantedDatabases: readonly string[] = positionals;

export const rowsOr = (standard: number): number => Number(values.rows ?? standard);
export const roundsOr = (standard: number): number => Number(values.rounds ?? (isTrial ? 1 : standard));
export const secondsOr = (standard: number): number => Number(values.seconds ?? (isTrial ? 0.5 : standard));
