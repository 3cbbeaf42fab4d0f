import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { median } from '../granules-store/watch.ts';
import { fillStore, PASSWORD } from '../people/fill.ts';
import { logIn, startService, stop } from '../people/processes.ts';
import { embeddedSaves, mongodbSaves, postgresSaves, type SaveDatabase } from './databases.ts';
import { saveDuringImport } from './during-import.ts';
import type { Figures, Round } from './load.ts';
import { processorTimes } from './processor-time.ts';

/**
 * Measures saves of one granule over HTTP with login, rights and audit, beside a bare handler that stores the same two
 * rows without them. Rounds alternate; prints medians and ratios. `saves embedded`, `saves postgres`, `saves far` (each
 * round trip to PostgreSQL takes a millisecond more) or `saves mongodb` measures one database; MongoDB has no goals.
 * KAPTAIN_BENCH_ROUNDS and KAPTAIN_BENCH_SECONDS set the size. Exit code 1 when a goal is missed.
 */
const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const ROUNDS = number('KAPTAIN_BENCH_ROUNDS', 5);
const SECONDS = number('KAPTAIN_BENCH_SECONDS', 3);
const CONNECTIONS = [1, 8, 32, 64] as const;
const KAPSULES = 8;

type Goals = Partial<Record<(typeof CONNECTIONS)[number], number>>;
/** One instance, the database and the load generator fill three processors: a second instance needs more. */
const hasRoomForTwo = availableParallelism() >= 4;
const GOALS = { p99: 3, import: 3, ...(hasRoomForTwo && { instances: 1.5 }) };

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

/** The processor time of a save in each process, and how busy all of them keep the machine: what binds when it is full. */
async function showProcessorTime(
  name: string,
  work: () => Promise<Figures>,
  pids: Record<string, number>,
): Promise<void> {
  const before = processorTimes(Object.values(pids));
  const { perSecond } = await work();
  const used = processorTimes(Object.values(pids)).map((ms, place) => ms - (before[place] ?? 0));
  const saves = perSecond * SECONDS;
  const parts = Object.keys(pids).map((key, place) => `${key} ${((used[place] ?? 0) / saves).toFixed(2)}`);
  const busy = used.reduce((sum, ms) => sum + ms, 0) / (SECONDS * 1000 * availableParallelism());
  console.log(
    `         processor time of a save, ms, ${name}: ${parts.join(', ')}; ${Math.round(busy * 100)} % of the machine`,
  );
}

async function measure(
  database: SaveDatabase,
  goals: Goals,
  connectionCounts: readonly (typeof CONNECTIONS)[number][] = CONNECTIONS,
  others: { p99?: number; import?: number; instances?: number } = GOALS,
): Promise<void> {
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
    for (const connections of connectionCounts) {
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
      const goal = connections === 32 ? others.p99 : undefined;
      show(
        '  their p99',
        ratio(ours, theirs, 'p99'),
        goal,
        false,
        `service ${p99(ours)}, handler ${p99(theirs)}`,
      );
      if (both.length > 0)
        show('  two instances to one', ratio(both, ours, 'perSecond'), others.instances, true, rate(both));
    }
    if (database.serverPid !== undefined) {
      const of = (name: string, to: string[], own: Record<string, number>) =>
        showProcessorTime(name, () => load(to, 32 / to.length), {
          ...own,
          database: database.serverPid ?? 0,
          'load generator': generator.pid ?? 0,
        });
      await of('the bare handler', [bareUrl], { handler: bare.pid ?? 0 });
      const instances = services.map(({ child }, place): [string, number] => [
        `instance ${place + 1}`,
        child.pid ?? 0,
      ]);
      await of('one instance', urls.slice(0, 1), Object.fromEntries(instances.slice(0, 1)));
      await of('two instances', urls, Object.fromEntries(instances));
    }
    if (connectionCounts.length < CONNECTIONS.length) return;
    const { idle, during } = await saveDuringImport(urls[0] ?? '', token, kapsules);
    const waits = `p90 ${idle.toFixed(1)} ms, during the import ${during.toFixed(1)} ms`;
    show('saves while an import runs into another kapsule', during / idle, others.import, false, waits);
  } finally {
    await Promise.all([...services.map(({ child }) => stop(child)), stop(bare), stop(generator)]);
  }
}

const [wanted] = process.argv.slice(2);
const isWanted = (name: string) => wanted === undefined || wanted === name;
if (isWanted('embedded')) {
  await using database = await embeddedSaves();
  await measure(database, { 1: 0.5, 32: 0.5 });
}
if (isWanted('postgres')) {
  await using database = await postgresSaves();
  await measure(database, { 32: 0.5 });
}
if (isWanted('far')) {
  await using database = await postgresSaves({ isFar: true });
  await measure(database, { 32: 0.5 }, [32]);
}
if (isWanted('mongodb')) {
  await using database = await mongodbSaves();
  await measure(database, {}, [8, 32], {});
}
