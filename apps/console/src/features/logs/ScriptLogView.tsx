import type { LogEntry } from '@kaptain/contract/logs';
import { Button, Skeleton } from 'antd';
import { useMemo, useState } from 'react';
import { useScriptLog } from '../../api/logs.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { LogText } from '../../shared/log-view/LogText.tsx';
import { matchingLines } from '../../shared/log-view/log-lines.ts';
import { SearchBox } from '../../shared/SearchBox.tsx';
import styles from './ScriptLog.module.css';
import { errorsIn, scriptLogLines } from './script-log-lines.ts';

/** The number of lines drawn at once without a noticeable pause. */
const SHOWN = 5000;
const counted = (count: number, one: string) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`;

/** The text of a script log with search; its errors are marked, and one button leads from one to the next. */
export function ScriptLogView({ entry }: { entry: LogEntry }) {
  const { data, error, isPending, refetch } = useScriptLog(entry);
  const [q, setQ] = useState('');
  const [pointedAt, point] = useState<number>();
  const lines = useMemo(() => scriptLogLines(data?.text ?? ''), [data?.text]);
  const errors = useMemo(() => errorsIn(lines), [lines]);
  const matching = useMemo(() => matchingLines(lines, q, ''), [lines, q]);

  if (isPending)
    return <Skeleton active title={false} paragraph={{ rows: 14, width: '100%' }} aria-busy="true" />;
  if (error)
    return (
      <ErrorPanel title="The script log could not be read" error={error} onRetry={() => void refetch()} />
    );
  const next = errors.find(({ number }) => number > (pointedAt ?? -1)) ?? errors[0];
  // The window of lines around the one that is pointed at.
  const index = matching.findIndex(({ number }) => number === pointedAt);
  const from = Math.max(0, Math.min(index - SHOWN / 2, matching.length - SHOWN));
  const shown = matching.slice(from, from + SHOWN);
  return (
    <>
      <div className={styles['tools']}>
        <SearchBox label="Search in this log" value={q} onChange={setQ} />
        <Button
          disabled={errors.length === 0}
          onClick={() => {
            setQ('');
            point(next?.number);
          }}
        >
          {pointedAt === undefined || errors.length === 1 ? 'First error' : 'Next error'}
        </Button>
        <span className={styles['count']} role="status">
          {[
            errors.length === 0 ? 'no errors' : counted(errors.length, 'error'),
            q.trim() === ''
              ? counted(lines.length, 'line')
              : `${matching.length.toLocaleString('en-US')} of ${counted(lines.length, 'line')}`,
          ].join(', ')}
        </span>
      </div>
      {data.isCut && (
        <p className={styles['hint']}>This is the end of the file. Download it to see the rest.</p>
      )}
      {shown.length < matching.length && (
        <p className={styles['hint']}>
          {`Shown are ${SHOWN.toLocaleString('en-US')} of these lines. Search to see others.`}
        </p>
      )}
      {shown.length === 0 ? (
        <EmptyState title={lines.length === 0 ? 'This log is empty' : 'No line matches'} />
      ) : (
        <LogText
          label={`Script log of ${entry.name}`}
          lines={shown}
          isAtEnd={false}
          onEnd={() => undefined}
          pointedAt={pointedAt}
        />
      )}
    </>
  );
}
