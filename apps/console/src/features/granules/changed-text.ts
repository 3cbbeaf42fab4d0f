import type { Term } from '../../variants/variant.ts';

type Noun = Pick<Term, 'one' | 'many'>;

const format = (value: number) => value.toLocaleString('en-US');

/** "2 granules" */
export const countText = (count: number, { one, many }: Noun): string =>
  `${format(count)} ${count === 1 ? one : many}`;

interface Change {
  /** How many were selected. */
  count: number;
  /** How many of them the service has changed; undefined where it does not tell. */
  changed: number | undefined;
}

/** "2 granules are deleted."; the service leaves out those that another user has deleted meanwhile, and so does the text. */
export function changedText({ count, changed = count }: Change, noun: Noun, done: string): string {
  const what = countText(count, noun);
  if (changed === 0) return `${what} ${count === 1 ? 'was' : 'were'} ${done} already.`;
  const are = changed === 1 ? 'is' : 'are';
  if (changed === count) return `${what} ${are} ${done}.`;
  const others = count - changed === 1 ? 'the other one was' : 'the others were';
  return `${format(changed)} of ${what} ${are} ${done}; ${others} ${done} already.`;
}
