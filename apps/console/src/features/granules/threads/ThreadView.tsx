import { commentParts, readThread } from '@kaptain/contract/thread-text';
import { TimeText } from '../../../shared/TimeText.tsx';
import { UserText } from '../UserText.tsx';
import { userIdOf } from '../user-id-of.ts';
import styles from './ThreadView.module.css';

/** The text of a comment, with its mentions marked. */
function CommentText({ text }: { text: string }) {
  return (
    <p>
      {commentParts(text).map((part, index) =>
        'text' in part ? (
          part.text
        ) : (
          <mark key={`${index} ${part.mention}`} title={part.mention}>{`@${userIdOf(part.mention)}`}</mark>
        ),
      )}
    </p>
  );
}

/** A thread as people read it: who, when and what, newest last. */
export function ThreadView({ field, value }: { field: string; value: unknown }) {
  const { preface, comments } = readThread(value);
  return (
    <section className={styles['thread']}>
      <h3>{field}</h3>
      {preface !== '' && <p>{preface}</p>}
      <ol aria-label={`Comments of ${field}`}>
        {comments.map(({ id, author, at, text, editedAt }) => (
          <li key={id}>
            <header>
              <strong>
                <UserText user={author} />
              </strong>
              <TimeText value={at} />
              {editedAt !== undefined && (
                <span>
                  edited <TimeText value={editedAt} />
                </span>
              )}
            </header>
            <CommentText text={text} />
          </li>
        ))}
      </ol>
    </section>
  );
}
