import { z } from 'zod';
import { json, route } from '../kit/route.ts';
import { filledText, idText, plainText, requiredText } from '../kit/text.ts';
import { limits } from '../rules/limits.ts';
import { isCommentId } from '../rules/thread-text.ts';

const params = z.object({ id: idText });

/** A thread is the value of one field in the granule of one key. */
const threadAddress = {
  key: requiredText('A granule needs a key.', 1000),
  field: requiredText('A thread needs a field.', limits.nameCharacters),
};
const commentId = z.string().refine(isCommentId, 'A comment needs an id of 8 to 32 letters and digits.');
const text = filledText('A comment needs a text.', limits.commentCharacters);

/** The thread after the change, and the version of its granule. */
export const ChangedThread = z.object({
  _id: z.string(),
  key: z.string(),
  version: z.number(),
  thread: z.string(),
  /** The ids of the comments that the caller has written, and may change. */
  own: z.array(z.string()).optional(),
});
export type ChangedThread = z.infer<typeof ChangedThread>;

/** Comments of threads. The author and the time are never taken from the request. */
export const threadCalls = {
  thread: route({
    method: 'GET',
    path: '/api/kapsule/:id/granules/thread',
    access: 'dataApi',
    summary:
      'A thread and the ids of the caller’s own comments in it, for callers who may write. Names of authors say nothing about that: two people may have the same one.',
    extra: true,
    params,
    query: z.object(threadAddress),
    answer: json(ChangedThread),
    errors: ['API_KEY_NOT_ALLOWED', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE', 'TOO_MANY_REQUESTS'],
  }),
  addComment: route({
    method: 'POST',
    path: '/api/kapsule/:id/granules/thread',
    access: 'dataApi',
    summary:
      'Add a comment to a thread; comments that are added at the same time are all kept. A repeated request with the same id adds no second comment.',
    extra: true,
    params,
    body: z.object({ ...threadAddress, id: commentId, text }),
    answer: json(ChangedThread),
    errors: [
      'API_KEY_NOT_ALLOWED',
      'FORBIDDEN',
      'CONFLICT',
      'TOO_LARGE',
      'TOO_MANY_REQUESTS',
      'VALUES_REFUSED',
    ],
  }),
  editComment: route({
    method: 'PUT',
    path: '/api/kapsule/:id/granules/thread',
    access: 'dataApi',
    summary:
      'Change the text of an own comment. `was` is the text that the author saw; another one is refused with the present text in `details.text`.',
    extra: true,
    params,
    body: z.object({ ...threadAddress, id: commentId, text, was: plainText(limits.commentCharacters) }),
    answer: json(ChangedThread),
    errors: [
      'API_KEY_NOT_ALLOWED',
      'FORBIDDEN',
      'NOT_FOUND',
      'CONFLICT',
      'TOO_LARGE',
      'TOO_MANY_REQUESTS',
      'VALUES_REFUSED',
    ],
  }),
  removeComment: route({
    method: 'DELETE',
    path: '/api/kapsule/:id/granules/thread',
    access: 'dataApi',
    summary: 'Remove an own comment. The history of the granule keeps it.',
    extra: true,
    params,
    body: z.object({ ...threadAddress, id: commentId }),
    answer: json(ChangedThread),
    errors: [
      'API_KEY_NOT_ALLOWED',
      'FORBIDDEN',
      'NOT_FOUND',
      'CONFLICT',
      'TOO_MANY_REQUESTS',
      'VALUES_REFUSED',
    ],
  }),
  people: route({
    method: 'GET',
    path: '/api/kapsule/:id/people',
    access: 'dataApi',
    summary:
      'People whom a comment can mention, for callers who may write: the owner and the users of groups that have the kapsule, at most 10 whose name contains q. A person who may write only because the kapsule is open to everyone gets none.',
    extra: true,
    params,
    query: z.object({ q: plainText(limits.nameCharacters).default('') }),
    answer: json(z.object({ people: z.array(z.string()) })),
    errors: ['API_KEY_NOT_ALLOWED', 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
  }),
};
