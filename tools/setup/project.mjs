import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A problem that the user can solve: only its message is shown, without a stack trace. */
export class SetupError extends Error {}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Reports what the set-up does, on stderr, so that stdout has only the command's own output.
 * @param {string} line
 */
export function tell(line) {
  process.stderr.write(`${line}\n`);
}

/** @param {number} since a value of performance.now() */
export function secondsSince(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Runs a command's body; the exit code is its result, or 1 when it throws.
 * @param {() => Promise<number>} body
 */
export async function command(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
