import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fill, PASSWORD } from '../people/fill.ts';
import { logIn } from '../people/processes.ts';

/**
 * Measures what metrics cost: two services, one of which has metrics and is scraped once a second, answer the same call in
 * alternating rounds. Compares the processor time per request, which other programs disturb less than the rate. Prints the
 * median of the ratios of neighbouring rounds. Exit code 1 when a goal is missed.
 */
const ROUNDS = Number(process.env['KAPTAIN_BENCH_ROUNDS'] ?? 24);
const SECONDS = 1;
const TOKEN = 'a-token-for-the-bench-0123456789abcdef';
/** The health probe does nothing but answer, so it has no goal. */
const calls = [
  { label: 'list of 200 kapsules', path: () => '/api/kapsule', goal: 1.02 },
  { label: 'one kapsule', path: (id: string) => `/api/kapsule/${id}`, goal: 1.02 },
  { label: 'health probe', path: () => '/healthz', goal: undefined },
];

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const at = (values: readonly number[], part: number) =>
  sorted(values)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

async function startServer(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'metrics-bench-'));
  await fill(folder);
  const child = fork(join(import.meta.dirname, 'server.ts'), {
    env: { ...process.env, ...env, KAPTAIN_DATA_DIR: folder, KAPTAIN_PORT: '0' },
  });
  const [port] = (await once(child, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${await logIn(url, 'reader', PASSWORD)}` };
  const [kapsule] = (await (await fetch(`${url}/api/kapsule`, { headers })).json()) as { _id: string }[];
  const usedMicroseconds = async () => {
    child.send('usage');
    const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
    return user + system;
  };
  return {
    url,
    /** Microseconds of the processor per request. */
    async measure(path: (id: string) => string): Promise<number> {
      const before = await usedMicroseconds();
      const asked = { url: url + path(kapsule?._id ?? ''), headers, connections: 10, duration: SECONDS };
      const { requests, non2xx, errors } = await autocannon(asked);
      if (non2xx > 0 || errors > 0) throw new Error(`${asked.url} failed under load.`);
      return ((await usedMicroseconds()) - before) / requests.total;
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.send('stop');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

await using off = await startServer({});
await using on = await startServer({ KAPTAIN_METRICS: TOKEN });
const scrape = async () => {
  const answer = await fetch(`${on.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (!answer.ok) throw new Error(`The scrape was refused: ${answer.status}`);
  return answer.text();
};
for (const { label, path, goal } of calls) {
  const [plain, watched, ratios]: [number[], number[], number[]] = [[], [], []];
  const measureOn = async () => (await Promise.all([on.measure(path), scrape()]))[0];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each goes first in turn, so that a drift of the machine favours neither.
    const first = await (round % 2 === 0 ? off.measure(path) : measureOn());
    const second = await (round % 2 === 0 ? measureOn() : off.measure(path));
    const [without, withMetrics] = round % 2 === 0 ? [first, second] : [second, first];
    plain.push(without);
    watched.push(withMetrics);
    ratios.push(withMetrics / without);
  }
  const ratio = at(ratios, 0.5);
  const isMissed = goal !== undefined && ratio > goal;
  if (isMissed) process.exitCode = 1;
  const verdict = goal === undefined ? '      ' : isMissed ? 'MISSED' : 'ok    ';
  const wanted = goal === undefined ? '' : ` (goal at most ${goal})`;
  const range = `quartiles ${at(ratios, 0.25).toFixed(3)} to ${at(ratios, 0.75).toFixed(3)}`;
  const numbers = `${at(plain, 0.5).toFixed(1)} and ${at(watched, 0.5).toFixed(1)} µs per request`;
  console.log(`${verdict} ${label}: ${ratio.toFixed(3)}${wanted}, ${range}, ${numbers}`);
}
console.log(`       a scrape has ${(Buffer.byteLength(await scrape()) / 1024).toFixed(1)} KiB`);
