/** `npm run check`: all static checks of the code, one line per step. */
import { availableParallelism } from 'node:os';
import { runQuietly } from './setup/children.mjs';

type Step = { name: string; args: string[]; env?: Record<string, string> };

const steps: Step[] = [
  // One program for both: its linter needs the types anyway.
  {
    name: 'types and lint',
    args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--type-check', '--deny-warnings'],
    // It is written in Go, whose garbage collection took 40 % of its processor time; now it begins at 2 GB.
    env: { GOGC: 'off', GOMEMLIMIT: '2GiB' },
  },
  { name: 'architecture', args: ['node_modules/vitest/vitest.mjs', 'run', 'tools/architecture.test.ts'] },
  { name: 'format', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  { name: 'generated documents', args: ['tools/generate.ts', '--check'] },
];

async function run({ name, args, env }: Step): Promise<boolean> {
  const since = performance.now();
  const { code, output } = await runQuietly(process.execPath, args, { env: { ...process.env, ...env } });
  const seconds = ((performance.now() - since) / 1000).toFixed(1).padStart(5);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}${code === 0 ? '' : `\n${output}`}`);
  return code === 0;
}

const since = performance.now();
const waiting = [...steps];
const results: boolean[] = [];
const worker = async () => {
  for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await run(step));
};
await Promise.all(Array.from({ length: availableParallelism() }, worker));

const failed = results.filter((ok) => !ok).length;
const verdict = failed === 0 ? 'All checks passed' : `${failed} of ${steps.length} checks failed`;
console.log(`${verdict} (${((performance.now() - since) / 1000).toFixed(1)} s).`);
process.exitCode = failed === 0 ? 0 : 1;
