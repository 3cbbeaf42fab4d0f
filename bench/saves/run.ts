import { fork } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../granules-store/watch.ts';
import { fillStore, PASSWORD } from '../people/fill.ts';
import { logIn, startService, stop } from '../people/processes.ts';
import { embeddedSaves, postgresSaves, type SaveDatabase } from './databases.ts';
import { saveDuringImport } from './during-import.ts';
import type { Figures, Round } from './load.ts';

/**
 * Measures saves of one granule over HTTP with login, rights and audit, beside a bare handler that stores the same two
 * rows without them. Rounds alternate; prints medians and ratios. `saves embedded` or `saves postgres` measures one
 * database; KAPTAIN_BENCH_ROUNDS and KAPTAIN_BENCH_SECONDS set the size. Exit code 1 when a goal is missed.
 */
const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const ROUNDS = number('KAPTAIN_BENCH_ROUNDS', 5);
const SECONDS = number('KAPTAIN_BENCH_SECONDS', 3);
const CONNECTIONS = [1, 8, 32, 64] as const;
const KAPSULES = 8;

type Goals = Partial<Record<(typeof CONNECTIONS)[number], number>>;
const GOALS = { p99: 3, instances: 1.5, import: 3 };

function show(
  label: string,
  value: number,
  goal: number | undefined,
  isLargerBetter: boolean,
  figures: string,
) {
  const isMissed = goal !== undefined && !(isLargerBetter ? value >= goal : value <= goal);
  if (isMissed) process.exitCode = 1;
  const word = goal === undefined ? '      ' : isMissed ? 'MISSED' : 'ok    ';
  const wanted = goal === undefined ? '' : `goal ${isLargerBetter ? '>=' : '<='} ${goal}x; `;
  console.log(`  ${word} ${label}: ${value.toFixed(2)}x (${wanted}${figures})`);
}

const rate = (values: readonly Figures[]) =>
  `${Math.round(median(values.map(({ perSecond }) => perSecond)))}/s`;
const ratio = (ours: readonly Figures[], theirs: readonly Figures[], of: keyof Figures) =>
  median(ours.map((figures, round) => figures[of] / (theirs[round]?.[of] ?? Number.NaN)));

async function measure(database: SaveDatabase, goals: Goals): Promise<void> {
  console.log(`  on ${database.name}`);
  const store = await database.open();
  await fillStore(store);
  const kapsules = (await store.kapsules.all()).slice(0, KAPSULES).map(({ id }) => id);
  await store.close();
  const services = [];
  for (const folder of database.folders) services.push(await startService(folder, database.env));
  const bare = fork(database.bare.script, database.bare.args);
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const generator = fork(new URL('./load.ts', import.meta.url));
  await once(generator, 'message');
  try {
    const urls = services.map(({ url }) => url);
    const token = await logIn(urls[0] ?? '', 'admin', PASSWORD);
    const headers = { authorization: `Bearer ${token}` };
    const load = async (to: string[], connections: number, seconds = SECONDS): Promise<Figures> => {
      const round: Round = { urls: to, kapsules, headers, connections, seconds };
      generator.send(round);
      return ((await once(generator, 'message')) as [Figures])[0];
    };
    // A warm-up round, which is not counted.
    for (const url of [bareUrl, ...urls]) await load([url], 8);
    for (const connections of CONNECTIONS) {
      const [ours, theirs, both]: [Figures[], Figures[], Figures[]] = [[], [], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        theirs.push(await load([bareUrl], connections));
        ours.push(await load(urls.slice(0, 1), connections));
        if (connections === 32 && urls.length > 1) both.push(await load(urls, connections / 2));
      }
      const label = `saves at ${connections} connections to a bare handler`;
      const figures = `service ${rate(ours)}, handler ${rate(theirs)}`;
      show(label, ratio(ours, theirs, 'perSecond'), goals[connections], true, figures);
      const p99 = (all: readonly Figures[]) => `${median(all.map((round) => round.p99))} ms`;
      const goal = connections === 32 ? GOALS.p99 : undefined;
      show(
        '  their p99',
        ratio(ours, theirs, 'p99'),
        goal,
        false,
        `service ${p99(ours)}, handler ${p99(theirs)}`,
      );
      if (both.length > 0)
        show('  two instances to one', ratio(both, ours, 'perSecond'), GOALS.instances, true, rate(both));
    }
    const { idle, during } = await saveDuringImport(urls[0] ?? '', token, kapsules);
    const waits = `p90 ${idle.toFixed(1)} ms, during the import ${during.toFixed(1)} ms`;
    show('saves while an import runs into another kapsule', during / idle, GOALS.import, false, waits);
  } finally {
    await Promise.all([...services.map(({ child }) => stop(child)), stop(bare), stop(generator)]);
  }
}

const [wanted] = process.argv.slice(2);
if (wanted !== 'postgres') {
  await using database = await embeddedSaves();
  await measure(database, { 1: 0.5, 32: 0.5 });
}
if (wanted !== 'embedded') {
  await using database = await postgresSaves();
  await measure(database, { 32: 0.5 });
}
