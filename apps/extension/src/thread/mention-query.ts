import { mentionOf } from '@kaptain/contract/thread-text';

/** The typed beginning of a name behind an @ in front of the caret, and the position of the @. */
export interface MentionQuery {
  start: number;
  text: string;
}

const BEGUN = /(^|[\s(])@([^\s@[\]]{0,60})$/;

export function mentionQuery(text: string, caret: number): MentionQuery | undefined {
  const found = BEGUN.exec(text.slice(0, caret));
  return found ? { start: found.index + (found[1] ?? '').length, text: found[2] ?? '' } : undefined;
}

/** Names that contain what is typed, those that begin with it first. */
export function matchingNames(names: readonly string[], typed: string, most: number): string[] {
  const wanted = typed.toLowerCase();
  const found = [...new Set(names)].filter(
    (name) => name.toLowerCase().includes(wanted) && mentionOf(name) !== undefined,
  );
  const isFirst = (name: string) => Number(name.toLowerCase().startsWith(wanted));
  return found.toSorted((a, b) => isFirst(b) - isFirst(a)).slice(0, most);
}
