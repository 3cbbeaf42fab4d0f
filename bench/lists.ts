import autocannon from 'autocannon';
import type { DatabaseKind } from './databases/database.ts';
import { Child } from './kit/child.ts';
import { floodLogins, latencies } from './kit/login-flood.ts';
import { onDatabases } from './kit/on-databases.ts';
import { roundsOr, secondsOr } from './kit/options.ts';
import { KAPSULES } from './kit/people.ts';
import { figure } from './kit/report.ts';
import type { Running } from './kit/service.ts';
import { median, rate, ratioOf } from './kit/times.ts';

/*
 * Lists of users and kapsules, and single kapsules, beside handlers without login on the same database and beside prepared
 * text; and the calls of one person while logins flood the service.
 */
const ROUNDS = roundsOr(7);
const SECONDS = secondsOr(2);

interface Goals {
  prepared?: number;
  byRow?: number;
  byDatabase?: number;
  one?: number;
  flood?: number;
}
const goals: Partial<Record<DatabaseKind, Goals>> = {
  embedded: { prepared: 2, flood: 2 },
  postgres: { byRow: 2.5, byDatabase: 0.8, one: 0.7 },
};

async function perSecond(
  url: string,
  paths: readonly string[],
  headers: Record<string, string> = {},
): Promise<number> {
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url, requests, headers, connections: 10, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}${paths[0]} failed under load.`);
  return result.requests.total / result.duration;
}

/** Requests per second of both, in alternating rounds. */
async function compare(theirs: () => Promise<number>, ours: () => Promise<number>) {
  const found = { theirs: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    found.theirs.push(await theirs());
    found.ours.push(await ours());
  }
  return {
    ratio: ratioOf(found.ours, found.theirs),
    details: `service ${rate(found.ours)}, handler ${rate(found.theirs)}`,
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function measureFlood({ url, reader }: Running, goal: number | undefined): Promise<void> {
  const [calm, flooded]: [number[], number[]] = [[], []];
  let logins = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const path = `${url}/api/account/sessions`;
    calm.push(await latencies(path, bearer(reader.token), SECONDS));
    const flood = floodLogins(url, SECONDS + 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    flooded.push(await latencies(path, bearer(reader.token), SECONDS));
    logins += await flood;
  }
  const [before, during] = [median(calm), median(flooded)];
  const details = `${during.toFixed(1)} ms during the flood, ${before.toFixed(1)} ms idle; ${logins} logins tried`;
  figure('p99 of other calls while logins flood, to idle', during / before, { atMost: goal, details });
}

await onDatabases(
  {
    title: 'Lists and logins',
    kinds: ['embedded', 'postgres', 'mongodb'],
    size: `200 users and ${KAPSULES} kapsules`,
  },
  async (database, running) => {
    const goal = goals[database.kind] ?? {};
    const { url } = running;
    const bare = await Child.start<string>(database.bare.script, database.bare.args);
    try {
      const [admin, reader] = [bearer(running.admin.token), bearer(running.reader.token)];
      const ids = (
        (await (await fetch(`${url}/api/kapsule`, { headers: reader })).json()) as { _id: string }[]
      )
        .map(({ _id }) => _id)
        .filter(Boolean);
      const ones = () =>
        perSecond(
          url,
          ids.map((id) => `/api/kapsule/${id}`),
          reader,
        );
      const bareOnes = () =>
        perSecond(
          bare.hello,
          ids.map((id) => `/one/${id}`),
        );
      // A warm-up round, which is not counted.
      await Promise.all([ones(), bareOnes()]);
      for (const [label, path, headers] of [
        ['200 users with groups', '/api/user/list', admin],
        ['200 kapsules for an ADMIN', '/api/kapsule', admin],
        ['200 kapsules with authority from 20 groups', '/api/kapsule', reader],
      ] as const) {
        await bare.ask(await (await fetch(url + path, { headers })).text());
        const { ratio, details } = await compare(
          () => perSecond(bare.hello, ['/prepared']),
          () => perSecond(url, [path], headers),
        );
        figure(`the same prepared text to ${label}`, 1 / ratio, { atMost: goal.prepared, details });
      }
      const list = () => perSecond(url, ['/api/kapsule'], reader);
      const byRow = await compare(() => perSecond(bare.hello, ['/rows']), list);
      figure('200 kapsules to a handler that reads row by row', byRow.ratio, {
        atLeast: goal.byRow,
        details: byRow.details,
      });
      if (database.bare.makesJson) {
        const { ratio, details } = await compare(() => perSecond(bare.hello, ['/json']), list);
        figure('200 kapsules to JSON made by the database', ratio, { atLeast: goal.byDatabase, details });
      }
      const one = await compare(bareOnes, ones);
      figure('one kapsule to a handler without login', one.ratio, {
        atLeast: goal.one,
        details: one.details,
      });
      await measureFlood(running, goal.flood);
    } finally {
      await bare.stop();
    }
  },
);
