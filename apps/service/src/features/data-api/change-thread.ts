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
import { AppError } from '../../http/app-error.ts';
import type { KnownCall } from '../../http/call.ts';
import { granulesOf } from '../../kapsule-rules/granules-of.ts';
import { requireWhole, threadFieldsOf } from '../../kapsule-rules/stored-threads.ts';
import { KeyedMutex } from '../../security/keyed-mutex.ts';
import { isSamePerson } from '../../security/platform-person.ts';
import type { DataApiDeps } from './data-api-deps.ts';
import { type Admitted, granuleSaving } from './granule-saving.ts';
import { mentionable } from './mentionable.ts';
import { retryConflicts } from './retry-conflicts.ts';

type Body<Name extends 'addComment' | 'editComment' | 'removeComment'> = Given<
  (typeof api.dataApi)[Name]
>['body'];
type Place = Pick<Body<'addComment'>, 'key' | 'field' | 'id'>;

/** The comments after the change; undefined when they stay as they are, e.g. after a repeated request. */
type Change = (thread: Thread, admitted: Admitted) => Promise<ThreadComment[] | undefined>;

/** The comment, if the writer is its author. */
function ownComment({ comments }: Thread, id: string, author: string): ThreadComment {
  const comment = comments.find((one) => one.id === id);
  if (!comment) throw new AppError('NOT_FOUND', 'This comment does not exist.');
  if (!isSamePerson(comment.author, author))
    throw new AppError('FORBIDDEN', 'This comment is of another person.');
  return comment;
}

/** Adds, changes and removes comments. The author and the time come from the service alone. */
export function threadChanges(deps: DataApiDeps) {
  const saving = granuleSaving(deps);
  const people = mentionable(deps);
  /** Comments on one row are stored one after another; those of another instance are retried. */
  const turns = new KeyedMutex();
  const now = () => commentTime(deps.clock());

  async function attempt(
    kapsuleId: string,
    { key, field }: Place,
    action: AuditAction,
    change: Change,
    call: KnownCall,
  ): Promise<ChangedThread> {
    const admitted = await saving.admit(kapsuleId, call);
    const { kapsule, writer } = admitted;
    if (!threadFieldsOf(kapsule).includes(field))
      throw new AppError('BAD_INPUT', `There is no thread ${JSON.stringify(field)}.`);
    const [found = null] = await granulesOf(deps, kapsule).lookup(kapsuleId, [key]);
    const stored = requireWhole(found);
    const before = readThread(ownValue(stored?.data ?? {}, field));
    const comments = await change(before, admitted);
    if (!comments)
      return { _id: stored?.id ?? '', key, version: stored?.version ?? 0, thread: writeThread(before) };
    const thread = writeThread({ ...before, comments });
    const user = writer.author;
    const row = { key, user, data: { ...stored?.data, [field]: thread }, version: stored?.version ?? 0 };
    const [saved] = await saving.save(admitted, [row], { action, after: { key, field, user } }, call);
    return { _id: saved?.id ?? '', key, version: saved?.version ?? 0, thread };
  }

  const inTurn = (id: string, place: Place, action: AuditAction, change: Change, call: KnownCall) =>
    turns.run(`${id} ${place.key}`, () => retryConflicts(() => attempt(id, place, action, change, call)));

  /** Only people who can be mentioned are; a thread names its authors to all its readers already. */
  async function settled(text: string, { comments }: Thread, admitted: Admitted): Promise<string> {
    const plain = plainComment(text);
    if (!plain.includes('@[')) return plain;
    const names = new Set([...comments.map(({ author }) => author), ...(await people(admitted))]);
    return withMentionsOf(plain, (name) => names.has(name));
  }

  return {
    add: (kapsuleId: string, body: Body<'addComment'>, call: KnownCall) =>
      inTurn(
        kapsuleId,
        body,
        'comment.add',
        async (thread, admitted) => {
          const author = oneLine(admitted.writer.author);
          const { comments } = thread;
          const same = comments.find(({ id }) => id === body.id);
          if (same && !isSamePerson(same.author, author))
            throw new AppError('CONFLICT', 'Another comment has this id.');
          if (same) return undefined;
          if (comments.length >= limits.commentsPerThread)
            throw new AppError(
              'TOO_LARGE',
              `A thread has at most ${limits.commentsPerThread} comments, and this one has them.`,
            );
          const text = await settled(body.text, thread, admitted);
          return [...comments, { id: body.id, author, at: now(), text }];
        },
        call,
      ),

    edit: (kapsuleId: string, body: Body<'editComment'>, call: KnownCall) =>
      inTurn(
        kapsuleId,
        body,
        'comment.edit',
        async (thread, admitted) => {
          const own = ownComment(thread, body.id, admitted.writer.author);
          const text = await settled(body.text, thread, admitted);
          if (text === own.text) return undefined;
          if (plainComment(body.was) !== own.text)
            throw new AppError('CONFLICT', 'This comment was changed meanwhile.', {
              details: { text: own.text },
            });
          return thread.comments.map((one) => (one === own ? { ...own, text, editedAt: now() } : one));
        },
        call,
      ),

    remove: (kapsuleId: string, body: Body<'removeComment'>, call: KnownCall) =>
      inTurn(
        kapsuleId,
        body,
        'comment.remove',
        async (thread, admitted) => {
          const own = ownComment(thread, body.id, admitted.writer.author);
          return thread.comments.filter((one) => one !== own);
        },
        call,
      ),
  };
}
