import { fire, fireStored } from './fire.ts';
import { fromStored, type Regression, store, toStored } from './regression.ts';
import { type Failure, openWorld } from './run.ts';
import type { Attack } from './shots.ts';
import { look, startOf } from './watch.ts';

/** Sends a regression to a new service; returns what it did wrong. */
export async function replay(file: string): Promise<string[]> {
  await using opened = await openWorld();
  const { world, keeper } = opened;
  const start = await startOf(world, keeper);
  const problem = await fireStored([file], world);
  return problem === undefined ? await look(world, keeper, start) : [problem];
}

const beganAs = (attacks: readonly Attack[]): string =>
  attacks
    .slice(0, 5)
    .map(({ call, role }) => `${call.name} as ${role}`)
    .join(', ');

/** Sends the suspects one at a time to a new service until one shows the failure, and stores it. */
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
    const problem = await fire(shots, world);
    if (problem === undefined && (await look(world, keeper, start)).length === 0) continue;
    return `Found: ${regression.began}. Stored as ${store(name, regression)}`;
  }
  return `No single request shows it alone. All are stored as ${store(name, regressionOf(suspects.slice(0, 200)))}`;
}
