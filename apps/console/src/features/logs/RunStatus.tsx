import type { LogEntry } from '@kaptain/contract/logs';
import { Progress, Tag, Tooltip } from 'antd';
import styles from './Logs.module.css';

const looks = {
  queued: ['Queued', 'default'],
  running: ['Running', 'processing'],
  succeeded: ['Succeeded', 'success'],
  failed: ['Failed', 'error'],
  cancelled: ['Cancelled', 'default'],
} as const;

function Bar({ progress, name }: { progress: number; name: string }) {
  const percent = Math.floor(Math.min(1, Math.max(0, progress)) * 100);
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

/** How a run is doing; why, if it failed; how far, while it runs. Another service may tell nothing of this. */
export function RunStatus({ entry }: { entry: LogEntry }) {
  const { status, failReason, progress, attempt, name } = entry;
  if (!status) return null;
  const [label, color] = looks[status];
  if (status === 'running' && typeof progress === 'number') return <Bar progress={progress} name={name} />;
  const text = attempt && attempt > 1 && status !== 'succeeded' ? `${label}, try ${attempt}` : label;
  if (!failReason) return <Tag color={color}>{text}</Tag>;
  return (
    <Tooltip title={failReason}>
      <Tag color={color} tabIndex={0}>
        {text}
      </Tag>
    </Tooltip>
  );
}
