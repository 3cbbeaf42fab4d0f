import { setTimeout } from 'node:timers/promises';
import { isTrial } from './options.ts';
import { figure } from './report.ts';
import { median, p99, timed } from './times.ts';

const IDLE_CALLS = 300;
const TRIAL_CALLS = 20;
/** The highest ratio of the 99th percentile beside the heavy call to the idle one. */
const GOAL = 2;

const told = (times: readonly number[]) =>
  `p50 ${median(times).toFixed(1)}, p99 ${p99(times).toFixed(1)}, max ${Math.max(...times).toFixed(1)} ms`;

/** Another person's calls, in a loop while nothing else runs and beside a heavy call. */
export class Others {
  readonly idle: number[] = [];
  readonly beside: number[] = [];
  readonly #call: () => Promise<unknown>;
  readonly #pauseMs: number;

  /** The pauses between the calls are always the same, because a call after a pause takes longer. */
  constructor(call: () => Promise<unknown>, pauseMs = 20) {
    this.#call = call;
    this.#pauseMs = pauseMs;
  }

  async #repeat(times: number[], isEnough: () => boolean): Promise<void> {
    do {
      times.push(await timed(this.#call));
      await setTimeout(this.#pauseMs);
    } while (!isEnough());
  }

  async rest(calls = IDLE_CALLS): Promise<void> {
    const enough = this.idle.length + (isTrial ? TRIAL_CALLS : calls);
    await this.#repeat(this.idle, () => this.idle.length >= enough);
  }

  /** Repeats the call until the heavy one has ended, and returns its result. */
  async during<T>(heavy: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = heavy.finally(() => {
      isDone = true;
    });
    const [result] = await Promise.all([ended, this.#repeat(this.beside, () => isDone)]);
    return result;
  }

  /** Reports p50, p99 and max beside the heavy call and idle, and judges the 99th percentile. */
  report(heavy: string): void {
    const details = `${told(this.beside)}; idle ${told(this.idle)}`;
    figure(`another person's calls beside ${heavy}, p99 to idle`, p99(this.beside) / p99(this.idle), {
      atMost: GOAL,
      details,
    });
  }
}

/** One heavy call, or several in a row, beside another person's calls. */
export async function besideOthers<T>(
  heavy: string,
  call: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const others = new Others(call);
  await others.rest();
  const result = await others.during(work());
  others.report(heavy);
  return result;
}
