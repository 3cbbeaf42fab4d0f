import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { regressionFiles } from './regression.ts';
import { find, replay } from './replay.ts';
import { run } from './run.ts';
import type { Held } from './service.ts';

/**
 * Fuzzes the running service over raw sockets: `npm run fuzz:http -- [--requests 40000] [--seconds 1200] [--seed N]`.
 * A failing request is stored in the folder regressions, which `npm run test:full` replays; `--replay <file>` sends one again.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '40000' },
    seconds: { type: 'string', default: '1200' },
    every: { type: 'string', default: '1000' },
    'warm-up': { type: 'string', default: '20000' },
    seed: { type: 'string' },
    replay: { type: 'string' },
  },
});
const tell = (line: string) => void process.stdout.write(`${line}\n`);

const megabytes = (...all: Held[]) => all.map(({ residentMB }) => residentMB.toFixed(0)).join(', ');

async function replayFile(file: string): Promise<number> {
  const problems = await replay(file);
  tell(problems.length === 0 ? 'The service stood it.' : problems.join('\n'));
  return problems.length === 0 ? 0 : 1;
}

async function fuzz(): Promise<number> {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  tell(`Seed ${seed}`);
  const since = performance.now();
  const { requests, seconds, every } = values;
  const { tally, failure, fresh, start, end } = await run({
    seed,
    requests: Number(requests),
    seconds: Number(seconds),
    regressions: regressionFiles(),
    warmUp: Number(values['warm-up']),
    every: Number(every),
    tell,
  });
  tell(`${tally.summary()}\nin ${((performance.now() - since) / 1000).toFixed(0)} s, seed ${seed}`);
  tell(
    `permits held together: ${start.permits.uploads} uploads, ${start.permits.streams} streams, ${start.permits.events} event streams`,
  );
  if (fresh && start.held && end)
    tell(
      `when fresh, after the warm-up, at the end: memory ${megabytes(fresh, start.held, end)} MB, sockets ${fresh.sockets}, ${start.held.sockets}, ${end.sockets}, files ${fresh.descriptors}, ${start.held.descriptors}, ${end.descriptors}`,
    );
  else tell('Memory, sockets and files of the processes were not looked at: only Linux tells them.');
  if (!failure) {
    tell('No failure.');
    return 0;
  }
  const [first] = failure.suspects;
  const began = first ? ` (first suspect: ${first.call.name} as ${first.role})` : '';
  process.stderr.write(
    `FAILED: ${failure.problems.join('\n')}${began}\nLooking for the request that does it …\n`,
  );
  const name = createHash('sha256').update(`${seed} ${failure.problems[0]}`).digest('hex').slice(0, 12);
  process.stderr.write(`${await find(failure, name)}\n`);
  return 1;
}

process.exitCode = await (values.replay === undefined ? fuzz() : replayFile(values.replay));
