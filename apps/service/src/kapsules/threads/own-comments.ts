import type { ThreadComment } from '@kaptain/contract';
import type { Nouns, UserRecord } from '@kaptain/store';
import { authorKey } from '../../identity/users/author-id.ts';
import { authorName, namedSince } from '../../identity/users/author-name.ts';
import { accountOf, personOfQlikId } from '../../identity/users/platform-person.ts';
import { accountLike } from '../../identity/users/similar-names.ts';
import type { Writer } from '../data-api/writer.ts';
import { authorIn, type CommentAuthors } from './comment-authors.ts';

/**
 * Finds the comments without a stored author that certainly belong to the account with this name: it had the name when
 * they were written, an ADMIN chose the name, and no other account has a similar one.
 */
async function oldComments(
  nouns: Pick<Nouns, 'users'>,
  user: UserRecord,
  nameless: readonly ThreadComment[],
): Promise<ThreadComment[]> {
  const name = authorName(user);
  const isChosenByPerson = user.subjectKey !== undefined && user.qlikId === '';
  const since = Date.parse(namedSince(user));
  const old = nameless.filter(({ author, at }) => author === name && since <= Date.parse(at));
  if (old.length === 0 || isChosenByPerson || (await accountLike(nouns, [name], user.id))) return [];
  return old;
}

/** The ids of the writer's own comments. */
export async function ownComments(
  nouns: Pick<Nouns, 'users'>,
  { id, person, user }: Writer,
  comments: readonly ThreadComment[],
  authors: CommentAuthors,
): Promise<Set<string>> {
  const authorOf = (comment: ThreadComment) => authorIn(authors, comment.id);
  const isBy = (key: string) => (comment: ThreadComment) => authorOf(comment) === key;
  const own = comments.filter(isBy(authorKey(id)));
  if (person) own.push(...comments.filter(isBy(authorKey(person))));
  if (user) {
    // The person's comments on a sheet from before an ADMIN gave them this account.
    const owner = personOfQlikId(user.qlikId);
    const asPerson = owner ? comments.filter(isBy(authorKey(owner))) : [];
    if (owner && asPerson.length > 0 && (await accountOf(nouns, owner))?.id === user.id)
      own.push(...asPerson);
    own.push(
      ...(await oldComments(
        nouns,
        user,
        comments.filter((comment) => authorOf(comment) === undefined),
      )),
    );
  }
  return new Set(own.map((comment) => comment.id));
}
