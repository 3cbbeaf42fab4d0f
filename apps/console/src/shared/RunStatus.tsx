import type { LogEntry } from '@kaptain/contract/logs';
import { Progress, Tag } from 'antd';
import { Hint } from './Hint.tsx';
import styles from './RunStatus.module.css';

const looks = {
  queued: ['Queued', 'default'],
  running: ['Running', 'processing'],
  succeeded: ['Succeeded', 'success'],
  failed: ['Failed', 'error'],
  cancelled: ['Cancelled', 'default'],
} as const;

/** The progress in percent; never 100 % before the end of the run. */
function Bar({ progress, name }: { progress: number; name: string }) {
  const percent = Math.min(99, Math.max(0, Math.floor(progress * 100)));
  return (
    <Progress
      className={styles['progress'] ?? ''}
      percent={percent}
      size="small"
      status="active"
      aria-label={`Progress of ${name}`}
    />
  );
}

/** The status of a run, with its progress or the reason of its failure. Another service may send none of these. */
export function RunStatus({ entry }: { entry: LogEntry }) {
  const { status, failReason, progress, progressText, attempt, name } = entry;
  if (!status) return null;
  const [label, color] = looks[status];
  const isRunning = status === 'running';
  const more = isRunning ? progressText : failReason;
  if (isRunning && typeof progress === 'number')
    return (
      <Hint title={more}>
        <span {...(more && { tabIndex: 0 })}>
          <Bar progress={progress} name={name} />
        </span>
      </Hint>
    );
  const text = attempt && attempt > 1 && status !== 'succeeded' ? `${label}, try ${attempt}` : label;
  if (!more) return <Tag color={color}>{text}</Tag>;
  return (
    <Hint title={more}>
      <Tag color={color} tabIndex={0}>
        {text}
      </Tag>
    </Hint>
  );
}
