import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Keeper } from './keeper.ts';
import { countPermits, type Permits } from './permits.ts';
import type { Held } from './service.ts';
import type { World } from './world.ts';

const SETTLE_MS = 60_000;
const MEMORY_MB = 100;

/** The state of the service before the attacks. */
export interface Start {
  permits: Permits;
  held: Held | undefined;
}

interface Finding {
  problems: string[];
  held: Held | undefined;
}

/** Checks again until there is no problem, or until the time limit. */
async function settled(look: () => Promise<string | undefined> | string | undefined, patienceMs: number) {
  const end = performance.now() + patienceMs;
  for (;;) {
    const problem = await look();
    if (problem === undefined || performance.now() > end) return problem;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** The held resources, after no socket was closed for a second. */
export async function heldAtRest({ service }: World): Promise<Held | undefined> {
  let last = service.held();
  for (let same = 0; same < 4; ) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = service.held();
    same = now?.sockets === last?.sockets ? same + 1 : 0;
    last = now;
  }
  return last;
}

export async function startOf(world: World, keeper: Keeper): Promise<Start> {
  const permits = await countPermits(world, keeper);
  return { permits, held: await heldAtRest(world) };
}

export function restartProblem({ service }: World): string | undefined {
  if (service.restarts === 0) return undefined;
  return `the worker was started again ${service.restarts} times; it said: ${service.output}`;
}

async function permitProblem(world: World, keeper: Keeper, { permits }: Start): Promise<string | undefined> {
  const now = await countPermits(world, keeper);
  const lost = (Object.keys(permits) as (keyof Permits)[]).filter((kind) => now[kind] < permits[kind]);
  if (lost.length === 0) return undefined;
  return lost
    .map((kind) => `${permits[kind] - now[kind]} of ${permits[kind]} permits for ${kind} are lost`)
    .join(', ');
}

function temporaryProblem({ service }: World): string | undefined {
  const files = service.temporaryFiles;
  return files.length === 0
    ? undefined
    : `${files.length} temporary files are left: ${files.slice(0, 3).join(', ')}`;
}

/** Between attacks: checks that nothing stays held. */
export async function look(world: World, keeper: Keeper, start: Start): Promise<string[]> {
  const restarted = restartProblem(world);
  if (restarted !== undefined) return [restarted];
  try {
    await keeper.heal();
  } catch (error) {
    return [`an honest admin is refused: ${String(error)}`];
  }
  const problems = [
    await settled(() => temporaryProblem(world), 10_000),
    await settled(() => permitProblem(world, keeper, start), 10_000),
  ];
  return problems.filter((problem) => problem !== undefined);
}

function heldProblem({ service }: World, { held: before }: Start): string | undefined {
  const now = service.held();
  if (!before || !now) return undefined;
  if (now.sockets > before.sockets) return `${now.sockets} sockets are open, ${before.sockets} at the start`;
  if (now.descriptors > before.descriptors)
    return `${now.descriptors} files are open, ${before.descriptors} at the start`;
  if (now.residentMB > before.residentMB + MEMORY_MB)
    return `memory is ${now.residentMB.toFixed(0)} MB, ${before.residentMB.toFixed(0)} MB at the start`;
  return undefined;
}

async function auditProblem({ service }: World): Promise<string | undefined> {
  const cli = join(import.meta.dirname, '..', '..', 'apps', 'service', 'src', 'kaptain.ts');
  const env = { ...process.env, KAPTAIN_DATA_DIR: service.folder };
  try {
    await promisify(execFile)(process.execPath, [cli, 'audit', 'verify'], { env });
    return undefined;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `the audit trail does not verify: ${stdout}${stderr}`;
  }
}

/** Checks everything that must be as before when the attacks have ended. */
export async function lookAfterwards(world: World, keeper: Keeper, start: Start): Promise<Finding> {
  const problems = await look(world, keeper, start);
  const held = await settled(async () => {
    const problem = heldProblem(world, start);
    if (problem !== undefined) await keeper.workHonestly();
    return problem;
  }, SETTLE_MS);
  if (held !== undefined) problems.push(held);
  const now = world.service.held();
  try {
    await keeper.logInAll();
  } catch (error) {
    problems.push(`a login is not possible any more: ${String(error)}`);
  }
  if (!(await keeper.isWitnessWhole())) problems.push('the witness kapsule was changed');
  const logs = world.service.logs();
  const leaked = world.canaries.find((canary) => logs.includes(canary));
  if (leaked !== undefined) problems.push(`the secret ${leaked} is in a log`);
  const audit = await auditProblem(world);
  if (audit !== undefined) problems.push(audit);
  return { problems, held: now };
}
