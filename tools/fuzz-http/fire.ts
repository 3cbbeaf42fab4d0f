import { basename } from 'node:path';
import { problemOf } from './oracle.ts';
import { fromStored, readRegression } from './regression.ts';
import { type Shot, send } from './wire.ts';
import type { World } from './world.ts';

/** A request without an answer for this long has failed, also on a busy machine. */
export const LIMIT_MS = 30_000;
/** The service closes the connection of a silent client after 30 s. */
export const WAIT_LIMIT_MS = 60_000;

/** Sends the shots one after another; returns what the service did wrong. */
export async function fire(shots: readonly Shot[], world: World): Promise<string | undefined> {
  for (const shot of shots) {
    const limitMs = shot.ending === 'wait' ? WAIT_LIMIT_MS : LIMIT_MS;
    const outcome = await send(world.service.port, world.source(), shot, limitMs);
    const problem = problemOf(shot, outcome, world, limitMs);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Sends the shots stored in the files; returns what the service did wrong. */
export async function fireStored(files: readonly string[], world: World): Promise<string | undefined> {
  for (const file of files) {
    const shots = readRegression(file).shots.map((stored) => fromStored(stored, world));
    const problem = await fire(shots, world);
    if (problem !== undefined) return `${basename(file)}: ${problem}`;
  }
  return undefined;
}
