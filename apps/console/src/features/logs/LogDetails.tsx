import type { LogEntry } from '@kaptain/contract/logs';
import { Alert } from 'antd';
import { JsonBlock } from '../../shared/JsonBlock.tsx';
import styles from './Logs.module.css';

/** Spec 2: a row expands to show the full JSON; above it, in words, why a run failed. */
export function LogDetails({ entry }: { entry: LogEntry }) {
  return (
    <div className={styles['details']}>
      {entry.failReason && <Alert type="error" showIcon title={entry.failReason} />}
      <JsonBlock label={`All about ${entry.name}`} value={entry} />
    </div>
  );
}
