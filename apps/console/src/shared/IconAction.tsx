import { Button, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import styles from './IconAction.module.css';

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
  return (
    <Tooltip title={blockedBy ?? title}>
      <Button
        type="text"
        size="small"
        className={styles['action'] ?? ''}
        icon={icon}
        danger={danger && !isBlocked}
        aria-label={label}
        aria-disabled={isBlocked}
        {...(isBlocked ? {} : { onClick })}
      />
    </Tooltip>
  );
}

/** The width of a column of so many actions, so that one more or less moves nothing. */
export const actionsWidth = (most: number): number => most * 32 + 16;

/** The actions of a row, in one line at its end. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>;
}
