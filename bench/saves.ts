import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { BenchDatabase, DatabaseKind } from './databases/database.ts';
import { Child } from './kit/child.ts';
import { get } from './kit/client.ts';
import { onDatabases } from './kit/on-databases.ts';
import { roundsOr, secondsOr } from './kit/options.ts';
import { processorTimes } from './kit/processor-time.ts';
import { figure, note } from './kit/report.ts';
import { saveDuringImport } from './kit/save-during-import.ts';
import type { Figures, Round } from './kit/save-load.ts';
import { type Running, startService } from './kit/service.ts';
import { median, rate, ratioOf } from './kit/times.ts';

/*
 * Saves of one granule over HTTP with login, rights and audit, beside a bare handler that stores the same two rows without them;
 * by two instances, beside one; the processor time of each process; and saves during an import.
 */
const ROUNDS = roundsOr(5);
const SECONDS = secondsOr(3);
const ALL = [1, 8, 32, 64] as const;
const KAPSULES = 8;

type Goals = Partial<Record<(typeof ALL)[number] | 'p99' | 'import' | 'instances', number>>;
/** One instance, the database and the load generator fill three processors: a second instance needs more. */
const shared: Goals = { 32: 0.5, p99: 3, import: 3, ...(availableParallelism() >= 4 && { instances: 1.5 }) };
const plans: Record<DatabaseKind, { goals: Goals; connections: readonly (typeof ALL)[number][] }> = {
  embedded: { goals: { ...shared, 1: 0.5 }, connections: ALL },
  postgres: { goals: shared, connections: ALL },
  far: { goals: shared, connections: [32] },
  mongodb: { goals: {}, connections: [8, 32] },
};

type Load = (to: readonly string[], connections: number) => Promise<Figures>;
const speeds = (all: readonly Figures[]) => all.map(({ perSecond }) => perSecond);
const p99s = (all: readonly Figures[]) => all.map(({ p99 }) => p99);

async function compare(load: Load, bare: string, urls: readonly string[], connections: number, goals: Goals) {
  const [ours, theirs, both]: [Figures[], Figures[], Figures[]] = [[], [], []];
  const [one = ''] = urls;
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await load([bare], connections));
    ours.push(await load([one], connections));
    if (connections === 32 && urls.length > 1) both.push(await load(urls, connections / 2));
  }
  figure(`saves at ${connections} connections to a bare handler`, ratioOf(speeds(ours), speeds(theirs)), {
    atLeast: goals[connections as 1],
    details: `service ${rate(speeds(ours))}, handler ${rate(speeds(theirs))}`,
  });
  figure(`p99 at ${connections} connections to a bare handler`, ratioOf(p99s(ours), p99s(theirs)), {
    atMost: connections === 32 ? goals.p99 : undefined,
    details: `service ${median(p99s(ours))} ms, handler ${median(p99s(theirs))} ms`,
  });
  if (both.length > 0)
    figure('two instances to one', ratioOf(speeds(both), speeds(ours)), {
      atLeast: goals.instances,
      details: rate(speeds(both)),
    });
}

/** The processor time of a save in each process, and how busy all of them keep the machine: what binds when it is full. */
async function tellProcessorTime(
  name: string,
  work: () => Promise<Figures>,
  pids: Record<string, number>,
): Promise<void> {
  const before = processorTimes(Object.values(pids));
  const { perSecond } = await work();
  const used = processorTimes(Object.values(pids)).map((ms, n) => ms - (before[n] ?? 0));
  const saves = perSecond * SECONDS;
  const parts = Object.keys(pids).map((key, n) => `${key} ${((used[n] ?? 0) / saves).toFixed(2)}`);
  const busy = used.reduce((sum, ms) => sum + ms, 0) / (SECONDS * 1000 * availableParallelism());
  note(
    `processor time of a save, ${name}`,
    `ms: ${parts.join(', ')}; ${Math.round(busy * 100)} % of the machine`,
  );
}

async function measure(database: BenchDatabase, running: Running): Promise<void> {
  const { goals, connections: counts } = plans[database.kind];
  const list = await get<{ _id: string }[]>(running.admin, '/api/kapsule');
  const kapsules = list.slice(0, KAPSULES).map(({ _id }) => _id);
  // Only a database server is shared by two instances.
  const second =
    database.kind === 'embedded' ? undefined : await startService(join(database.folder, '2'), database.env);
  const bare = await Child.start<string>(database.bare.script, database.bare.args);
  const generator = await Child.start(join(import.meta.dirname, 'kit', 'save-load.ts'));
  try {
    const urls = [running.url, ...(second ? [second.url] : [])];
    const headers = { authorization: `Bearer ${running.admin.token}` };
    const load: Load = (to, connections) => {
      const round: Round = { urls: [...to], kapsules, headers, connections, seconds: SECONDS };
      return generator.ask<Figures>(round);
    };
    // A warm-up round, which is not counted.
    for (const url of [bare.hello, ...urls]) await load([url], 8);
    for (const connections of counts) await compare(load, bare.hello, urls, connections, goals);
    const processes = (own: Record<string, number>) => ({
      ...own,
      ...(database.pids[0] && { database: database.pids[0] }),
      'load generator': generator.pid,
    });
    const instance = { 'instance 1': running.service.pid };
    await tellProcessorTime(
      'the bare handler',
      () => load([bare.hello], 32),
      processes({ handler: bare.pid }),
    );
    await tellProcessorTime('one instance', () => load([running.url], 32), processes(instance));
    if (second) {
      const instances = processes({ ...instance, 'instance 2': second.child.pid });
      await tellProcessorTime('two instances', () => load(urls, 16), instances);
    }
    if (counts.length < ALL.length) return;
    const { idle, during } = await saveDuringImport(running, kapsules);
    figure('p90 of saves while an import runs into another kapsule, to idle', during / idle, {
      atMost: goals.import,
      details: `${during.toFixed(1)} ms, idle ${idle.toFixed(1)} ms`,
    });
  } finally {
    await Promise.all([second?.child.stop('stop'), bare.stop(), generator.stop()]);
  }
}

await onDatabases(
  {
    title: 'Saves',
    kinds: ['embedded', 'postgres', 'far', 'mongodb'],
    size: `${SECONDS} s a round`,
    isAsInstalled: true,
  },
  measure,
);
