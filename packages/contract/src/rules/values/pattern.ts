import { type CharacterTest, type PatternNode, PatternSyntaxError, parsePattern } from './pattern-syntax.ts';

/** A step of a program: a character to take, or the steps that may come next. */
type Step = { test: CharacterTest } | { next: number[] };

const MOST_STEPS = 400;

/** Steps follow each other; the last one, which is missing, is the end. */
function compile(node: PatternNode): Step[] {
  const steps: Step[] = [];
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

/** All steps that can be reached without taking a character. */
function reach(steps: readonly Step[], from: readonly number[]): Set<number> {
  const reached = new Set<number>();
  const open = [...from];
  while (open.length > 0) {
    const at = open.pop() as number;
    if (reached.has(at)) continue;
    reached.add(at);
    const step = steps[at];
    if (step && 'next' in step) open.push(...step.next);
  }
  return reached;
}

const compiled = (pattern: string): Step[] => compile(parsePattern(pattern));

/** What is wrong with a pattern; undefined when nothing is. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compiled(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternSyntaxError) return error.message;
    throw error;
  }
}

/**
 * Says whether a whole text matches. All ways are followed at once, so that the time grows with the text alone: a regular expression
 * of JavaScript tries them one after another, for hours with some texts.
 */
export function patternTest(pattern: string): (text: string) => boolean {
  const steps = compiled(pattern);
  const begin = reach(steps, [0]);
  return (text) => {
    let present = begin;
    for (const character of text) {
      const taken: number[] = [];
      for (const at of present) {
        const step = steps[at];
        if (step && 'test' in step && step.test(character)) taken.push(at + 1);
      }
      if (taken.length === 0) return false;
      present = reach(steps, taken);
    }
    return present.has(steps.length);
  };
}
