import { limits } from '../limits.ts';
import { type CharacterTest, type PatternNode, PatternSyntaxError, parsePattern } from './pattern-syntax.ts';

/** A step of a program: a character to take, or the steps that may come next. */
type Step = { test: CharacterTest } | { next: number[] };

const MOST_STEPS = 200;
/** Parts of a pattern, each as often as it is repeated: an empty one has no step, and could be repeated without end. */
const MOST_PARTS = 10_000;
/** A longer text matches no pattern: checking it would keep others waiting. */
const LONGEST_TEXT = 1000;

/** Steps follow each other; the last one, which is missing, is the end. */
function compile(node: PatternNode): Step[] {
  const steps: Step[] = [];
  let parts = 0;
  const add = (step: Step): number => {
    if (steps.length >= MOST_STEPS) throw new PatternSyntaxError('it is too long');
    return steps.push(step) - 1;
  };
  const fork = (): number[] => {
    const next: number[] = [];
    add({ next });
    return next;
  };
  function emit(part: PatternNode): void {
    parts += 1;
    if (parts > MOST_PARTS) throw new PatternSyntaxError('it is too long');
    if (part.kind === 'one') add({ test: part.test });
    else if (part.kind === 'all') part.of.forEach(emit);
    else if (part.kind === 'any') emitAny(part.of);
    else emitRepeat(part);
  }
  function emitAny(options: readonly PatternNode[]): void {
    const [only, ...others] = options;
    if (only && others.length === 0) return emit(only);
    const begins = fork();
    const ends = options.map((option) => {
      begins.push(steps.length);
      emit(option);
      return fork();
    });
    for (const end of ends) end.push(steps.length);
  }
  function emitRepeat({ of, least, most }: Extract<PatternNode, { kind: 'repeat' }>): void {
    for (let n = 0; n < least; n += 1) emit(of);
    if (most === Number.POSITIVE_INFINITY) {
      const begin = steps.length;
      const loop = fork();
      loop.push(steps.length);
      emit(of);
      fork().push(begin);
      loop.push(steps.length);
      return;
    }
    const skips: number[][] = [];
    for (let n = least; n < most; n += 1) {
      const skip = fork();
      skip.push(steps.length);
      emit(of);
      skips.push(skip);
    }
    for (const skip of skips) skip.push(steps.length);
  }
  emit(node);
  return steps;
}

/** A set of steps; `marks` has the round in which a step was last added, so that it need not be cleared. */
class Reached {
  readonly list: number[] = [];
  readonly #marks: Uint32Array;
  readonly #steps: readonly Step[];
  #round = 0;

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
    this.#marks = new Uint32Array(steps.length + 1);
  }

  clear(): void {
    this.list.length = 0;
    this.#round += 1;
  }

  /** With all steps that can be reached from it without taking a character. */
  add(at: number): void {
    if (this.#marks[at] === this.#round) return;
    this.#marks[at] = this.#round;
    const step = this.#steps[at];
    if (step && 'next' in step) for (const next of step.next) this.add(next);
    else this.list.push(at);
  }
}

const compiled = (pattern: string): Step[] => compile(parsePattern(pattern).whole);

const anchorProblem = (anchor: string): string =>
  `${anchor} may only be at its ${anchor === '^' ? 'beginning' : 'end'}, because the whole text must match; \\${anchor} is the sign itself`;

/** How many steps a pattern has, or what is wrong with it. */
function measured(pattern: string): { steps: number } | { problem: string } {
  try {
    const { whole, innerAnchor } = parsePattern(pattern);
    const steps = compile(whole).length;
    return innerAnchor === undefined ? { steps } : { problem: anchorProblem(innerAnchor) };
  } catch (error) {
    if (error instanceof PatternSyntaxError) return { problem: error.message };
    throw error;
  }
}

/** What is wrong with a pattern; undefined when nothing is. */
export function patternProblem(pattern: string): string | undefined {
  const result = measured(pattern);
  return 'problem' in result ? result.problem : undefined;
}

/** Why a kapsule can't have all these patterns at once; undefined when it can. */
export function patternsProblem(patterns: readonly string[]): string | undefined {
  const { patternsPerKapsule: most, patternStepsPerKapsule: mostSteps } = limits;
  if (patterns.length > most)
    return `It has ${patterns.length} fields with a pattern, and may have at most ${most}.`;
  const results = patterns.map(measured);
  const steps = results.reduce((sum, result) => sum + ('steps' in result ? result.steps : 0), 0);
  return steps > mostSteps
    ? `Its patterns have ${steps} steps together, and may have at most ${mostSteps}: please shorten one.`
    : undefined;
}

/**
 * Says whether a whole text matches. All ways are followed at once, so that the time grows with the text alone: a regular expression
 * of JavaScript tries them one after another, for hours with some texts.
 */
export function patternTest(pattern: string): (text: string) => boolean {
  const steps = compiled(pattern);
  let [present, next] = [new Reached(steps), new Reached(steps)];
  return (text) => {
    if (text.length > LONGEST_TEXT) return false;
    present.clear();
    present.add(0);
    for (const character of text) {
      next.clear();
      for (const at of present.list) {
        const step = steps[at];
        if (step && 'test' in step && step.test(character)) next.add(at + 1);
      }
      [present, next] = [next, present];
      if (present.list.length === 0) return false;
    }
    return present.list.includes(steps.length);
  };
}
