import { ConfigError } from '../config/config-error.ts';
import { run } from './run.ts';

/** The command line of the host: `npm run kaptain -- help`. */
try {
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    input: process.stdin,
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  });
} catch (error) {
  // Prints one sentence for an error that the user can correct, the stack for a bug.
  const text = error instanceof ConfigError ? error.message : String((error as Error).stack ?? error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
