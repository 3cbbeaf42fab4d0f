/** The environment variables that the service, its command line and its Windows service read. */
export const knownVariables = [
  'KAPTAIN_COPY_PASS',
  'KAPTAIN_DATA_DIR',
  'KAPTAIN_DB',
  'KAPTAIN_DB_HOST',
  'KAPTAIN_DB_NAME',
  'KAPTAIN_DB_PASS',
  'KAPTAIN_DB_PORT',
  'KAPTAIN_DB_USER',
  'KAPTAIN_DB_USESSL',
  'KAPTAIN_GRANULE_BYTES',
  'KAPTAIN_HOST',
  'KAPTAIN_LICENSE_KEY',
  'KAPTAIN_LOG_STDOUT',
  'KAPTAIN_METRICS',
  'KAPTAIN_PEPPER',
  'KAPTAIN_PORT',
  'KAPTAIN_SCRIPT_LOG_DIR',
  'KAPTAIN_STOP_WITH_STDIN',
  'KAPTAIN_VARIANT',
  'KAPTAIN_WORKER_INSTANCE',
  'KAPTAIN_WORKER_START',
] as const;

/**
 * Variables that the service does not read: container engines set them for a service of this name, the compose file and
 * the examples use them, or tests and benches do.
 */
const FOREIGN = /^KAPTAIN_(PORT_\d+_.+|SERVICE_(HOST|PORT.*|URL)|(TEST|BENCH|LIVE)_.+|VERSION|URL|KEY)$/;

/** How many characters must be added, removed or replaced to turn one text into the other (Levenshtein). */
function distance(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, character] of from.split('').entries()) {
    const next = [row + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replaced = (before[column] ?? 0) + (character === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    before = next;
  }
  return before.at(-1) ?? 0;
}

/** A sentence for each unknown variable with the prefix of the service: a misspelt one would be ignored silently. */
export const unknownVariables = (env: NodeJS.ProcessEnv): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('KAPTAIN_') && !FOREIGN.test(name))
    .filter((name) => !(knownVariables as readonly string[]).includes(name))
    .map((name) => {
      const [nearest] = knownVariables.toSorted((a, b) => distance(name, a) - distance(name, b));
      return `The environment variable ${name} is not known and has no effect; the nearest one is ${nearest}.`;
    });
