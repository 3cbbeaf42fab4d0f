import { basename } from 'node:path';
import type { Keeper } from './keeper.ts';
import { problemOf } from './oracle.ts';
import { fromStored, type Regression, readRegression, store, toStored } from './regression.ts';
import { type Failure, LIMIT_MS, openWorld, WAIT_LIMIT_MS } from './run.ts';
import type { Attack } from './shots.ts';
import { look, type Start, startOf } from './watch.ts';
import { type Shot, send } from './wire.ts';
import type { World } from './world.ts';

/** Sends the shots one after another; what the service did wrong with one of them, or afterwards. */
async function fire(shots: readonly Shot[], world: World, keeper: Keeper, start: Start): Promise<string[]> {
  for (const shot of shots) {
    const limitMs = shot.ending === 'wait' ? WAIT_LIMIT_MS : LIMIT_MS;
    const outcome = await send(world.service.port, world.source(), shot, limitMs);
    const problem = problemOf(shot, outcome, world, limitMs);
    if (problem !== undefined) return [problem];
  }
  return look(world, keeper, start);
}

/** Sends regressions to a fresh service until one of them does harm. */
export async function replay(files: readonly string[]): Promise<string[]> {
  await using opened = await openWorld();
  const { world, keeper } = opened;
  const start = await startOf(world, keeper);
  for (const file of files) {
    const shots = readRegression(file).shots.map((stored) => fromStored(stored, world));
    const problems = await fire(shots, world, keeper, start);
    if (problems.length > 0) return problems.map((problem) => `${basename(file)}: ${problem}`);
  }
  return [];
}

const beganAs = (attacks: readonly Attack[]): string =>
  attacks
    .slice(0, 5)
    .map(({ call, role }) => `${call.name} as ${role}`)
    .join(', ');

/** Sends the suspects one at a time to a fresh service until one shows the failure, and stores what was found. */
export async function find({ problems, suspects, world: seenIn }: Failure, name: string): Promise<string> {
  if (suspects.length === 0) return 'It shows only at the end of the run; repeat the run with its seed.';
  const regressionOf = (attacks: readonly Attack[]): Regression => ({
    problem: problems.join('; ').slice(0, 2000),
    began: beganAs(attacks),
    shots: attacks.map(({ shot }) => toStored(shot, seenIn)),
  });
  const stored = suspects.map((suspect) => regressionOf([suspect]));
  await using opened = await openWorld();
  const { world, keeper } = opened;
  const start = await startOf(world, keeper);
  for (const regression of stored) {
    const shots = regression.shots.map((one) => fromStored(one, world));
    if ((await fire(shots, world, keeper, start)).length === 0) continue;
    return `Found: ${regression.began}. Stored as ${store(name, regression)}`;
  }
  return `No single request shows it alone. All are stored as ${store(name, regressionOf(suspects.slice(0, 200)))}`;
}
