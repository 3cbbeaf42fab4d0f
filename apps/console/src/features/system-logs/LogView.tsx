import { VerticalAlignBottomOutlined } from '@ant-design/icons';
import { Button, Segmented, Select, Skeleton, Switch } from 'antd';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { type LogFile, useLogText } from '../../api/system-logs.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { LogText } from '../../shared/log-view/LogText.tsx';
import { type Level, linesOf, matchingLines } from '../../shared/log-view/log-lines.ts';
import { SearchBox } from '../../shared/SearchBox.tsx';
import { useRemembered } from '../../shared/use-remembered.ts';
import { LogTable } from './LogTable.tsx';
import styles from './SystemLogs.module.css';

const atLeast: { value: Level | ''; label: string }[] = [
  { value: '', label: 'Every level' },
  { value: 'info', label: 'Info and above' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors only' },
];
/** The number of lines drawn at once without a noticeable pause; a button or a filter shows earlier ones. */
const SHOWN = 2000;

export function LogView({ file }: { file: LogFile }) {
  const [isFollowed, setFollowed] = useState(false);
  const [isAtEnd, setAtEnd] = useState(true);
  const [q, setQ] = useState('');
  const [level, setLevel] = useState<Level | ''>('');
  const [count, setCount] = useState(SHOWN);
  const followId = useId();
  const [isText, setText] = useRemembered('kaptain.system-logs.text', false);
  const query = useLogText(file, isFollowed);
  const lines = useMemo(() => linesOf(query.data?.text ?? ''), [query.data?.text]);
  const wanted = useDeferredValue(q);
  const matching = useMemo(() => matchingLines(lines, wanted, level), [lines, wanted, level]);
  const shown = matching.slice(-count);

  if (query.isPending)
    return <Skeleton active title={false} paragraph={{ rows: 14, width: '100%' }} aria-busy="true" />;
  if (query.isError && !query.data)
    return (
      <ErrorPanel
        title="The log could not be read"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  const View = isText ? LogText : LogTable;
  const format = (value: number) => value.toLocaleString('en-US');
  return (
    <>
      <div className={styles['tools']}>
        <SearchBox label="Search in this log" value={q} onChange={setQ} />
        <Segmented
          aria-label="Show as"
          options={['Table', 'Text']}
          value={isText ? 'Text' : 'Table'}
          onChange={(value) => setText(value === 'Text')}
        />
        <Select aria-label="Level" value={level} options={atLeast} onChange={setLevel} />
        <span className={styles['follow']}>
          <Switch
            id={followId}
            size="small"
            checked={isFollowed}
            onChange={(isOn) => {
              setFollowed(isOn);
              if (isOn) setAtEnd(true);
            }}
          />
          <label htmlFor={followId}>Follow</label>
        </span>
        <Button
          icon={<VerticalAlignBottomOutlined aria-hidden />}
          onClick={() => {
            setAtEnd(true);
            void query.refetch();
          }}
        >
          Newest
        </Button>
        <span className={styles['count']} role="status">
          {matching.length === lines.length
            ? `${format(lines.length)} lines`
            : `${format(matching.length)} of ${format(lines.length)} lines`}
        </span>
      </div>
      {query.data?.isCut && (
        <p className={styles['hint']}>This is the end of the file. Download it to see the rest.</p>
      )}
      {matching.length > shown.length && (
        <Button
          type="link"
          onClick={() => {
            setCount(count + SHOWN);
            setAtEnd(false);
          }}
        >
          {`Show earlier lines (${format(matching.length - shown.length)})`}
        </Button>
      )}
      {shown.length === 0 ? (
        <EmptyState title={lines.length === 0 ? 'This log is empty' : 'No line matches'}>
          {lines.length === 0 ? 'Nothing has been written yet.' : 'Change the search or the level.'}
        </EmptyState>
      ) : (
        <View label={file.fileName} lines={shown} isAtEnd={isAtEnd} onEnd={setAtEnd} />
      )}
    </>
  );
}
