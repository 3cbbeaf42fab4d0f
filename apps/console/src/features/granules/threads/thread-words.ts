import { isThread } from '@kaptain/contract/fields';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { readThread, shownComment, type ThreadComment } from '@kaptain/contract/thread-text';
import type { FieldChange } from '../history-events.ts';
import { userIdOf } from '../user-id-of.ts';

/** The names of a kapsule's thread fields. */
export const threadNames = ({ fields }: Pick<Kapsule, 'fields'>): ReadonlySet<string> =>
  new Set(fields.filter(({ type }) => isThread(type)).map(({ name }) => name));

const named = ({ author, text }: ThreadComment): string => `${userIdOf(author)}: ${shownComment(text)}`;

/** A thread in one line: how many comments it has, and the last one. */
export function threadText(value: unknown): string {
  const { preface, comments } = readThread(value);
  const last = comments.at(-1);
  if (!last) return preface;
  return `${comments.length === 1 ? '1 comment' : `${comments.length} comments`} · ${named(last)}`;
}

/** The comments that differ between two states of a thread, each as a change of its own. */
export function threadChanges({ field, before, after }: FieldChange): FieldChange[] {
  const [old, now] = [readThread(before), readThread(after)];
  const byId = new Map(old.comments.map((comment) => [comment.id, comment]));
  const left = new Set(now.comments.map(({ id }) => id));
  const removed = old.comments
    .filter(({ id }) => !left.has(id))
    .map((comment) => ({ field, before: named(comment), after: undefined }));
  const written = now.comments.flatMap((comment) => {
    const earlier = byId.get(comment.id);
    if (earlier?.text === comment.text) return [];
    return [{ field, before: earlier && named(earlier), after: named(comment) }];
  });
  const ahead = { field, before: old.preface || undefined, after: now.preface || undefined };
  return [...(ahead.before === ahead.after ? [] : [ahead]), ...removed, ...written];
}
