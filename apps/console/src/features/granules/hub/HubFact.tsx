import { Button } from 'antd';
import type { ReactNode } from 'react';
import styles from './Hub.module.css';

interface Props {
  label: string;
  children: ReactNode;
  /** Stands before the value and is never cut. */
  before?: ReactNode;
  /** The whole text, where the value may be cut. */
  full?: string | undefined;
  /** Value and action need two lines on a narrow screen, which are kept free for them. */
  isWide?: boolean;
  /** The actions that this user may take. */
  action?: { text: string; label: string; onClick: () => void; isBusy?: boolean } | undefined;
}

/** One line of the hub: a label, its value and an action. */
export function HubFact({ label, children, before, full, isWide = false, action }: Props) {
  return (
    <div className={isWide ? `${styles['fact']} ${styles['wide']}` : styles['fact']}>
      <dt>{label}</dt>
      <dd>
        {before}
        <span className={styles['value']} {...(full !== undefined && { title: full })}>
          {children}
        </span>
        {action && (
          <Button
            type="link"
            size="small"
            className={styles['action'] ?? ''}
            aria-label={action.label}
            loading={action.isBusy === true}
            onClick={action.onClick}
          >
            {action.text}
          </Button>
        )}
      </dd>
    </div>
  );
}
