import { Button } from 'antd';
import type { ReactNode } from 'react';
import styles from './Toolbar.module.css';

interface Props {
  icon: ReactNode;
  /** How many are selected; Spec 5: disabled with nothing selected. */
  count: number;
  onClick: () => void;
  danger?: boolean;
  /** The reason why the action is disabled. */
  blockedBy?: string | undefined;
  children: string;
}

/** An action on all selected rows, at the end of the toolbar. */
export function SelectionButton({ icon, count, onClick, danger = false, blockedBy, children }: Props) {
  return (
    <Button
      className={styles['selection'] ?? ''}
      icon={icon}
      danger={danger}
      disabled={count === 0 || blockedBy !== undefined}
      onClick={onClick}
      {...(blockedBy !== undefined && { title: blockedBy })}
    >
      {count > 0 ? `${children} (${count.toLocaleString('en-US')})` : children}
    </Button>
  );
}
