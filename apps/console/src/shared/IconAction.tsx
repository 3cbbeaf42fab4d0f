import { Button } from 'antd';
import { type ReactNode, use } from 'react';
import { Hint } from './Hint.tsx';
import styles from './IconAction.module.css';
import { InActionList } from './RowActions.tsx';

interface Props {
  /** The text of the tooltip. */
  title: string;
  /** The action and its row, for screen readers. */
  label: string;
  icon: ReactNode;
  onClick: () => void;
  danger?: boolean;
  /** The reason why the action is disabled. The button stays focusable, so that its tooltip can be read by keyboard. */
  blockedBy?: string | undefined;
}

/** An action of a row as an icon button. */
export function IconAction({ title, label, icon, onClick, danger = false, blockedBy }: Props) {
  const isBlocked = blockedBy !== undefined;
  const isNamed = use(InActionList);
  return (
    <Hint title={blockedBy ?? (isNamed ? '' : title)} isName={!isBlocked}>
      <Button
        type="text"
        size="small"
        className={styles['action'] ?? ''}
        icon={
          <span className={styles['icon']} aria-hidden="true">
            {icon}
          </span>
        }
        danger={danger && !isBlocked}
        // In a list, which names the row, the visible text is the name.
        {...(!isNamed && { 'aria-label': label })}
        aria-disabled={isBlocked}
        {...(isBlocked ? {} : { onClick })}
      >
        {isNamed && title}
      </Button>
    </Hint>
  );
}
