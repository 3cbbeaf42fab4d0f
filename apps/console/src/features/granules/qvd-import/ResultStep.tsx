import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import type { QvdFileResult } from '@kaptain/contract/granules';
import { ResultList } from '../../../shared/ResultList.tsx';
import styles from './QvdImport.module.css';

export type ImportResult =
  | { rows: number; files: readonly QvdFileResult[] }
  /** Why nothing was stored, or why that is not known. */
  | { failure: string };

const format = (value: number) => value.toLocaleString('en-US');

function lineOf({ file, rows, matched, ignored, refused }: QvdFileResult): string {
  const rest = [
    ignored.length > 0 ? `; ignored: ${ignored.join(', ')}` : '',
    refused && refused.rows > 0 ? `; refused rows: ${format(refused.rows)}` : '',
  ].join('');
  return `${file}: ${format(rows)} rows by ${matched.join(', ') || 'no column'}${rest}`;
}

/** Spec 8: the result of an import, to the letter. */
export function ResultStep({ result }: { result: ImportResult }) {
  if ('failure' in result)
    return (
      <section className={styles['result']} role="alert">
        <CloseCircleFilled data-good="false" aria-hidden="true" />
        <h2>Import Failed</h2>
        <p>The content you submitted has the following error:</p>
        {/* biome-ignore lint: the message scrolls, so the keyboard must reach it. */}
        <pre tabIndex={0}>{result.failure}</pre>
      </section>
    );
  return (
    <section className={styles['result']} role="status">
      <CheckCircleFilled data-good="true" aria-hidden="true" />
      <h2>Import Successed</h2>
      <p>{`Total matched ${result.rows} rows of data.`}</p>
      {result.files.length > 0 && (
        <ResultList
          label="Import results"
          results={result.files.map((file) => ({ isGood: true, text: lineOf(file) }))}
        />
      )}
    </section>
  );
}
