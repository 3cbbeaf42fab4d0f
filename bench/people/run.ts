import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fill, PASSWORD } from './fill.ts';
import { floodLogins, latencies } from './login-flood.ts';
import { logIn, startBare, startService, stop } from './processes.ts';

/**
 * Measures users and permissions: the two large lists cost at most twice a bare Fastify that sends the same prepared
 * text, and a flood of logins does not slow down other calls. Rounds alternate; prints medians and ratios. Exit code 1
 * when a goal is missed.
 */
const ROUNDS = 7;
const SECONDS = 2;
const GOALS = { lists: 2, flood: 2 };

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function perSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 10, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed under load.`);
  return result.requests.total / result.duration;
}

let missed = 0;
function verdict(label: string, ratio: number, goal: number, numbers: string): void {
  const isReached = ratio <= goal;
  if (!isReached) missed += 1;
  console.log(
    `${isReached ? 'ok    ' : 'MISSED'} ${label}: ${ratio.toFixed(2)}× (goal ${goal}×)  ${numbers}`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'people-bench-'));
await fill(folder);
const service = await startService(folder);
const bare = await startBare();
try {
  const bearer = async (name: string) => ({
    authorization: `Bearer ${await logIn(service.url, name, PASSWORD)}`,
  });
  const [admin, reader] = [await bearer('admin'), await bearer('reader')];
  for (const [label, path, headers] of [
    ['200 users with groups', '/api/user/list', admin],
    ['200 kapsules for an ADMIN', '/api/kapsule', admin],
    ['200 kapsules with authority from 20 groups', '/api/kapsule', reader],
  ] as const) {
    const text = await (await fetch(service.url + path, { headers })).text();
    await bare.prepare(path, text);
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await perSecond(bare.url + path, {}));
      ours.push(await perSecond(service.url + path, headers));
    }
    const [fast, mine] = [median(theirs), median(ours)];
    const sizes = `bare ${Math.round(fast)}/s, service ${Math.round(mine)}/s, ${(text.length / 1024).toFixed(0)} KiB`;
    verdict(label, fast / mine, GOALS.lists, sizes);
  }

  const [calm, flooded]: [number[], number[]] = [[], []];
  let logins = 0;
  for (let round = 0; round < ROUNDS; round++) {
    calm.push(await latencies(`${service.url}/api/account/sessions`, reader, SECONDS));
    const flood = floodLogins(service.url, SECONDS + 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    flooded.push(await latencies(`${service.url}/api/account/sessions`, reader, SECONDS));
    logins += await flood;
  }
  const [before, during] = [median(calm), median(flooded)];
  const numbers = `p99 ${before.toFixed(2)} ms, during the flood ${during.toFixed(2)} ms, ${logins} logins tried`;
  verdict('p99 of other calls while logins flood', during / before, GOALS.flood, numbers);
} finally {
  await Promise.all([stop(service.child), stop(bare.child)]);
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
