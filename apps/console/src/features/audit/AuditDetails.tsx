import type { AuditEntry } from '@kaptain/contract/audit';
import type { ReactNode } from 'react';
import { CopyText } from '../../shared/CopyText.tsx';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Audit.module.css';
import { changesOf, type Shown } from './audit-changes.ts';
import { fieldName } from './audit-words.ts';

function Values({ values, as: Mark }: { values: readonly Shown[]; as: 'ins' | 'del' }): ReactNode {
  if (values.length === 0) return '–';
  return values.map(({ text, isSame }, index) => (
    // The index is the key: a text may occur twice, and the order never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <div key={index}>{isSame ? text : <Mark>{text}</Mark>}</div>
  ));
}

/** Each field before and after the change, and the request id that the system log has too. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const words = useWords();
  const changes = changesOf(entry);
  return (
    <div className={styles['details']}>
      {changes.length > 0 && (
        <table className={styles['change']}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{fieldName(field, words)}</th>
                <td>
                  <Values values={before} as="del" />
                </td>
                <td>
                  <Values values={after} as="ins" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className={styles['request']}>
        Request id <CopyText text={entry.requestId} />
      </p>
    </div>
  );
}
