import { ConfigError } from '../config/config-error.ts';
import { run } from './run.ts';

/** What only the person at the host may do: `npm run kaptain -- help`. */
try {
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    input: process.stdin,
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
  });
} catch (error) {
  // What the person at the keyboard can act on is one sentence; a mistake of ours keeps its stack.
  const text = error instanceof ConfigError ? error.message : String((error as Error).stack ?? error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
