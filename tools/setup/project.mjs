import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A problem the person at the keyboard can solve: its message is shown alone, without a stack. */
export class SetupError extends Error {}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * What set-up is doing: beside the output, so that a command's own answer stays clean.
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
 * Runs a command's body; its result is the exit code.
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
