import type { QvdFileResult } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { Alert } from 'antd';
import { RefusalSummary } from '../../../shared/RefusalSummary.tsx';
import { useWords } from '../../../variants/use-variant.ts';
import { countText } from '../changed-text.ts';
import { refusedRows, revivedRows } from './import-outcome.ts';
import styles from './QvdImport.module.css';

const rowsNoun = { one: 'row', many: 'rows' };
const format = (value: number) => value.toLocaleString('en-US');

interface Props {
  outcome: readonly QvdFileResult[];
  kapsule: Kapsule;
}

/** What an import would do, before anything is stored. */
export function AskStep({ outcome, kapsule }: Props) {
  const { granule } = useWords();
  const refused = refusedRows(outcome);
  const revived = revivedRows(outcome);
  return (
    <>
      {refused > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`${countText(refused, rowsNoun)} ${refused === 1 ? 'has' : 'have'} values that do not fit.`}
          description="Nothing is stored yet. Take the rows that fit, or none."
        />
      )}
      {revived > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`${countText(revived, { one: `deleted ${granule.one}`, many: `deleted ${granule.many}` })} would come back.`}
          description="The files have rows with their keys."
        />
      )}
      <ul className={styles['list']} aria-label="What the import would do">
        {outcome.map(({ file, refused: refusedOf, changes }) => (
          <li key={file} className={styles['file']} aria-label={file}>
            <header>
              <strong title={file}>{file}</strong>
            </header>
            {changes && (
              <dl className={styles['facts']}>
                <dt>New</dt>
                <dd>{format(changes.new)}</dd>
                <dt>Changed</dt>
                <dd>{format(changes.changed)}</dd>
                <dt>Unchanged</dt>
                <dd>{format(changes.unchanged)}</dd>
                <dt>Brought back</dt>
                <dd>{format(changes.revived)}</dd>
                <dt>Refused</dt>
                <dd>{format(refusedOf?.rows ?? 0)}</dd>
              </dl>
            )}
            {refusedOf && refusedOf.count > 0 && (
              <RefusalSummary rules={refusedOf.rules} first={refusedOf.first} fields={kapsule.fields} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
