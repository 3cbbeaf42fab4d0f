import type { ReactNode } from 'react';
import { ButtonPopover } from './ButtonPopover.tsx';
import styles from './ListPopover.module.css';

interface Props {
  title: string;
  /** The number and what it counts, for screen readers. */
  label: string;
  count: number;
  /** The class of the button. */
  className?: string | undefined;
  /** An `<li>` for each. */
  children: ReactNode;
}

/** A number; what it counts in a popover. */
export function ListPopover({ title, label, count, className = '', children }: Props) {
  if (count === 0) return '0';
  const list = (
    // The list scrolls, so the keyboard must reach it.
    <ul className={styles['list']} tabIndex={0} aria-label={title}>
      {children}
    </ul>
  );
  return (
    <ButtonPopover
      title={title}
      content={list}
      placement="bottom"
      type="link"
      size="small"
      className={className}
      aria-label={label}
    >
      {count}
    </ButtonPopover>
  );
}
