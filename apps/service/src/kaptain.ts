import { errorText } from './base/errors/error-text.ts';
import { run } from './operations/cli/run.ts';

/** The command line of the host: `npm run kaptain -- help`. */
try {
  process.exitCode = await run(process.argv.slice(2), {
    env: process.env,
    input: process.stdin,
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
    startService: () => import('./main.ts'),
  });
} catch (error) {
  process.stderr.write(`${errorText(error)}\n`);
  process.exitCode = 1;
}
