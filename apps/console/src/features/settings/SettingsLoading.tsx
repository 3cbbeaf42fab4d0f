import { WarningFilled } from '@ant-design/icons';
import { Button, Skeleton, Spin } from 'antd';
import { messageOf } from '../../shared/message-of.ts';
import styles from './Settings.module.css';

interface Props {
  error: Error | null;
  onRetry: () => void;
}

/** Spec 8: when the settings can't be loaded, the tip of the spinner says so. */
export function SettingsLoading({ error, onRetry }: Props) {
  return (
    <div role={error ? 'alert' : 'status'}>
      <Spin
        description={error ? 'Something Error!' : 'Loading the settings…'}
        {...(error && {
          indicator: <WarningFilled className={styles['warning'] ?? ''} />,
          classNames: { description: styles['warning'] ?? '' },
        })}
      >
        <div className={styles['sections']} aria-hidden>
          {(error ? [5] : [4, 2, 6]).map((rows) => (
            <div key={rows} className={styles['section']}>
              <Skeleton active={!error} paragraph={{ rows }} />
            </div>
          ))}
        </div>
      </Spin>
      {error && (
        <div className={styles['retry']}>
          <p>{messageOf(error)}</p>
          <Button type="primary" onClick={onRetry}>
            Retry
          </Button>
        </div>
      )}
    </div>
  );
}
