import { RollbackOutlined } from '@ant-design/icons';
import type { Generation } from '@kaptain/contract/settings/generations';
import { Button, Tag } from 'antd';
import { TimeText } from '../../../shared/TimeText.tsx';
import { useWords } from '../../../variants/use-variant.ts';
import { labelsOf } from '../changes/labelled-differences.ts';
import styles from './Extras.module.css';

const SHOWN = 4;

function StatusTag({ entry: { isCurrent, status } }: { entry: Generation }) {
  if (status === 'rejected') return <Tag color="error">Rolled back</Tag>;
  if (status === 'waiting') return <Tag color="warning">Waits for a restart</Tag>;
  return isCurrent ? <Tag color="success">Current</Tag> : null;
}

/** One saved state: time, user and changed fields. */
export function GenerationEntry({ entry, onReturn }: { entry: Generation; onReturn: () => void }) {
  const { generation, at, by, changed, reason, isCurrent } = entry;
  const labels = labelsOf(changed, useWords());
  const more = labels.length - SHOWN;
  return (
    <li>
      <div>
        <p>
          <strong>Version {generation}</strong> <StatusTag entry={entry} />
        </p>
        <p className={styles['who']}>
          <TimeText value={at} /> · {by ?? 'the host'}
        </p>
        {labels.length === 0 && <p>The same settings as before</p>}
        {labels.length > 0 && (
          <ul>
            {labels.slice(0, SHOWN).map((label) => (
              <li key={label}>{label}</li>
            ))}
            {more > 0 && <li>{`and ${more} more`}</li>}
          </ul>
        )}
        {reason !== null && <p className={styles['reason']}>{reason}</p>}
      </div>
      {!isCurrent && (
        <Button
          size="small"
          icon={<RollbackOutlined aria-hidden />}
          aria-label={`Return to version ${generation}`}
          onClick={onReturn}
        >
          Return
        </Button>
      )}
    </li>
  );
}
