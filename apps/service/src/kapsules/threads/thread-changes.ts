import {
  type api,
  type ChangedThread,
  commentTime,
  type Given,
  limits,
  oneLine,
  ownValue,
  plainComment,
  readThread,
  type Thread,
  type ThreadComment,
  withMentionsOf,
  writeThread,
} from '@kaptain/contract';
import type { AuditAction } from '@kaptain/contract/audit';
import type { GranuleRecord } from '@kaptain/store';
import type { KnownCall } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { KeyedMutex } from '../../http/limits/keyed-mutex.ts';
import type { DataApiDeps } from '../data-api/data-api-deps.ts';
import { type Admitted, granuleSaving } from '../data-api/granule-saving.ts';
import { retryConflicts } from '../data-api/retry-conflicts.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { requireWhole } from '../granules/look-up-pages.ts';
import { requireOpenThread } from '../locks/require-open-thread.ts';
import {
  type CommentAuthors,
  readCommentAuthors,
  storeCommentAuthors,
  type ThreadField,
  threadFieldOf,
} from './comment-authors.ts';
import { mentionable } from './mentionable.ts';
import { ownComments } from './own-comments.ts';
import { threadFieldsOf } from './stored-threads.ts';

type Body<Name extends 'addComment' | 'editComment' | 'removeComment'> = Given<
  (typeof api.dataApi)[Name]
>['body'];
type ThreadAddress = Pick<Body<'addComment'>, 'key' | 'field'>;

/** A thread as one writer sees it. */
interface Opened {
  admitted: Admitted;
  threadField: ThreadField;
  stored: GranuleRecord | null;
  thread: Thread;
  authors: CommentAuthors;
  /** The ids of the comments that the writer has written. */
  own: ReadonlySet<string>;
}

interface Changed {
  comments: ThreadComment[];
  /** The id of the comment that is new. */
  added?: string;
}

/** Undefined when the comments stay as they are, e.g. after a repeated request. */
type Change = (opened: Opened) => Promise<Changed | undefined> | Changed;

/** The comment, if the writer is its author. */
function ownComment({ thread, own, authors }: Opened, id: string): ThreadComment {
  const comment = thread.comments.find((one) => one.id === id);
  if (!comment) throw new AppError('NOT_FOUND', 'This comment does not exist.');
  if (own.has(id)) return comment;
  throw new AppError(
    'FORBIDDEN',
    Object.hasOwn(authors, id)
      ? 'This comment is of another person.'
      : "It is not certain who wrote this comment, so it can't be changed.",
  );
}

const shownThread = ({ stored, thread, own }: Opened, key: string): ChangedThread => ({
  _id: stored?.id ?? '',
  key,
  version: stored?.version ?? 0,
  thread: writeThread(thread),
  own: thread.comments.map(({ id }) => id).filter((id) => own.has(id)),
});

/** Adds, changes and removes comments. The author and the time come from the service alone. */
export function threadChanges(deps: DataApiDeps) {
  const saving = granuleSaving(deps);
  const people = mentionable(deps);
  /** Comments on one row are stored one after another; those of another instance are retried. */
  const turns = new KeyedMutex();
  const now = () => commentTime(deps.clock());

  async function open(kapsuleId: string, { key, field }: ThreadAddress, call: KnownCall): Promise<Opened> {
    const admitted = await saving.admit(kapsuleId, call);
    const { kapsule, writer } = admitted;
    if (!threadFieldsOf(kapsule).includes(field))
      throw new AppError('BAD_INPUT', `There is no thread ${JSON.stringify(field)}.`);
    const [found = null] = await granulesOf(deps, kapsule).lookup(kapsuleId, [key]);
    const stored = requireWhole(found);
    const thread = readThread(ownValue(stored?.data ?? {}, field));
    const threadField = await threadFieldOf(deps, kapsule, field);
    // Read after the thread: if both change in between, the version of the granule is stale.
    const authors = stored
      ? await readCommentAuthors(deps.store, { ...threadField, granuleId: stored.id })
      : {};
    const own = await ownComments(deps.store, writer, thread.comments, authors);
    return { admitted, threadField, stored, thread, authors, own };
  }

  async function attempt(
    kapsuleId: string,
    { key, field }: ThreadAddress,
    action: AuditAction,
    change: Change,
    call: KnownCall,
  ): Promise<ChangedThread> {
    const opened = await open(kapsuleId, { key, field }, call);
    const { admitted, threadField, stored, thread: before, own } = opened;
    const changed = await change(opened);
    if (!changed) return shownThread(opened, key);
    const { comments, added } = changed;
    const thread = writeThread({ ...before, comments });
    const { author: user, id: author } = admitted.writer;
    const row = { key, user, data: { ...stored?.data, [field]: thread }, version: stored?.version ?? 0 };
    const isEntered = action === 'comment.add';
    requireOpenThread(admitted, { key, field, before: stored?.data ?? null, after: row.data, isEntered });
    const isOtherSet = comments.length !== before.comments.length;
    const [saved] = await saving.save(
      admitted,
      [row],
      { action, after: { key, field, user } },
      call,
      isOtherSet
        ? (unit, [granule]) =>
            storeCommentAuthors(
              unit,
              { ...threadField, granuleId: granule?.id ?? '' },
              {
                before: before.comments,
                after: comments,
                ...(added !== undefined && { added: { id: added, author } }),
              },
            )
        : undefined,
    );
    const ids = comments.map(({ id }) => id).filter((id) => own.has(id) || id === added);
    return { _id: saved?.id ?? '', key, version: saved?.version ?? 0, thread, own: ids };
  }

  const inTurn = (id: string, address: ThreadAddress, action: AuditAction, change: Change, call: KnownCall) =>
    turns.run(`${id} ${address.key}`, () => retryConflicts(() => attempt(id, address, action, change, call)));

  /** Only people who can be mentioned are; a thread names its authors to all its readers already. */
  async function settled(text: string, { comments }: Thread, admitted: Admitted): Promise<string> {
    const plain = plainComment(text);
    if (!plain.includes('@[')) return plain;
    const names = new Set([...comments.map(({ author }) => author), ...(await people(admitted))]);
    return withMentionsOf(plain, (name) => names.has(name));
  }

  return {
    read: async (kapsuleId: string, address: ThreadAddress, call: KnownCall): Promise<ChangedThread> =>
      shownThread(await open(kapsuleId, address, call), address.key),

    add: (kapsuleId: string, body: Body<'addComment'>, call: KnownCall) =>
      inTurn(
        kapsuleId,
        body,
        'comment.add',
        async ({ admitted, thread, own }) => {
          const author = oneLine(admitted.writer.author);
          const { comments } = thread;
          const isThere = comments.some(({ id }) => id === body.id);
          if (isThere && !own.has(body.id)) throw new AppError('CONFLICT', 'Another comment has this id.');
          if (isThere) return undefined;
          if (comments.length >= limits.commentsPerThread)
            throw new AppError(
              'TOO_LARGE',
              `A thread has at most ${limits.commentsPerThread} comments, and this one has them.`,
            );
          const text = await settled(body.text, thread, admitted);
          return { comments: [...comments, { id: body.id, author, at: now(), text }], added: body.id };
        },
        call,
      ),

    edit: (kapsuleId: string, body: Body<'editComment'>, call: KnownCall) =>
      inTurn(
        kapsuleId,
        body,
        'comment.edit',
        async (opened) => {
          const { admitted, thread } = opened;
          const comment = ownComment(opened, body.id);
          const text = await settled(body.text, thread, admitted);
          if (text === comment.text) return undefined;
          if (plainComment(body.was) !== comment.text)
            throw new AppError('CONFLICT', 'This comment was changed meanwhile.', {
              details: { text: comment.text },
            });
          const edited = { ...comment, text, editedAt: now() };
          return { comments: thread.comments.map((one) => (one === comment ? edited : one)) };
        },
        call,
      ),

    remove: (kapsuleId: string, body: Body<'removeComment'>, call: KnownCall) =>
      inTurn(
        kapsuleId,
        body,
        'comment.remove',
        (opened) => {
          const comment = ownComment(opened, body.id);
          return { comments: opened.thread.comments.filter((one) => one !== comment) };
        },
        call,
      ),
  };
}
