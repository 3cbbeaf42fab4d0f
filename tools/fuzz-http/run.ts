import { timeLimitMs } from './calls.ts';
import { fireStored, LIMIT_MS, WAIT_LIMIT_MS } from './fire.ts';
import { Keeper } from './keeper.ts';
import { isRefusedNow } from './lost-rights.ts';
import { ENDED_EARLY, problemOf } from './oracle.ts';
import { Random } from './random.ts';
import type { Role } from './roles.ts';
import { FuzzedService } from './service.ts';
import { type Attack, attackOf } from './shots.ts';
import { Tally } from './tally.ts';
import { heldAtRest, look, lookAfterwards, restartProblem, type Start, startOf } from './watch.ts';
import { send } from './wire.ts';
import { World } from './world.ts';

interface RunOptions {
  seed: number;
  requests: number;
  seconds: number;
  /** Stored regressions, sent first. */
  regressions: readonly string[];
  /** Requests before memory, sockets and files are first measured: they load code, open files and fill caches. */
  warmUp: number;
  /** Requests between two checks of what they left behind. */
  every: number;
  tell: (line: string) => void;
  /** Starts the service in another way than `npm start`. */
  script?: string;
}

export interface Failure {
  problems: string[];
  /** The attacks that may have caused it, oldest first. */
  suspects: Attack[];
  world: World;
}

interface RunResult {
  tally: Tally;
  failure: Failure | undefined;
  /** The resources that the processes held before the first request. */
  fresh: Start['held'];
  start: Start;
  /** The resources that the processes held at the end. */
  end: Start['held'];
}

const LANES = 8;
/** Roles whose 401 tells of no ended session. */
const withoutSession: ReadonlySet<Role> = new Set<Role>(['revoked', 'extension']);
/** A service with a filled world; disposing of it stops the service. */
export async function openWorld(
  script?: string,
): Promise<AsyncDisposable & { world: World; keeper: Keeper }> {
  const service = await FuzzedService.start(script);
  try {
    const world = await World.on(service);
    const keeper = new Keeper(world);
    await keeper.fill();
    return { world, keeper, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
  } catch (error) {
    await service[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes one attack; returns what is wrong with the answer, if anything is. */
async function attack(world: World, { call, role, shot }: Attack, tally: Tally): Promise<string | undefined> {
  const limitMs = shot.ending === 'wait' ? WAIT_LIMIT_MS : timeLimitMs(call, LIMIT_MS);
  const outcome = await send(world.service.port, world.source(), shot, limitMs);
  tally.add(call.name, role, shot, outcome);
  if (outcome.reading.answers[0]?.status === 401 && world.tokens.has(role) && !withoutSession.has(role))
    world.suspects.add(role);
  const problem = problemOf(shot, outcome, world, limitMs);
  if (problem !== ENDED_EARLY || !(await isRefusedNow(world, shot, limitMs)))
    return problem ?? restartProblem(world);
  tally.rightsLost += 1;
  return restartProblem(world);
}

/** Sends the attacks with the numbers from `first` to `last`, several at a time; returns the first failure. */
async function volley(world: World, keeper: Keeper, seed: number, first: number, last: number, tally: Tally) {
  const made: Attack[] = [];
  let next = first;
  let failure: Failure | undefined;
  const lane = async () => {
    while (next < last && !failure) {
      const number = next++;
      const current = await attackOf(world, new Random(seed, number));
      made.push(current);
      const problem = await attack(world, current, tally);
      if (problem !== undefined) failure ??= { problems: [problem], suspects: [current], world };
    }
  };
  const healing = setInterval(() => void keeper.healSuspects().catch(() => undefined), 1000);
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    clearInterval(healing);
  }
  return { made, failure };
}

/** The whole run on one service. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { seed, requests, seconds, warmUp, every, tell } = options;
  await using opened = await openWorld(options.script);
  const { world, keeper } = opened;
  const tally = new Tally();
  let start = await startOf(world, keeper);
  const fresh = start.held;
  const failed = (problems: string[], suspects: Attack[]): RunResult => ({
    tally,
    fresh,
    start,
    end: undefined,
    failure: { problems, suspects, world },
  });
  const again = await fireStored(options.regressions, world);
  if (again !== undefined) return failed([again], []);
  const end = performance.now() + seconds * 1000;
  let isWarm = false;
  for (let first = 0; first < requests && performance.now() < end; first += every) {
    const { made, failure } = await volley(
      world,
      keeper,
      seed,
      first,
      Math.min(requests, first + every),
      tally,
    );
    if (failure) return failed(failure.problems, [...failure.suspects, ...made.toReversed()]);
    const problems = await look(world, keeper, start);
    if (problems.length > 0) return failed(problems, made);
    tell(tally.line(world.service.held()));
    if (isWarm || first + every < warmUp) continue;
    isWarm = true;
    start = { ...start, held: await heldAtRest(world) };
  }
  const { problems, held } = await lookAfterwards(world, keeper, start);
  return {
    ...(problems.length > 0 ? failed(problems, []) : { tally, fresh, start, failure: undefined }),
    end: held,
  };
}
