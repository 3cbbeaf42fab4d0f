import type { ReactNode } from 'react';
import styles from './Toolbar.module.css';

/** The line above a table: search, filters, result count. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={styles['toolbar']}>{children}</div>;
}

/** Tells how many rows are shown, and of how many; screen readers announce changes. */
export function ResultCount({ shown, total, noun }: { shown: number; total: number; noun: Noun }) {
  const format = (value: number) => value.toLocaleString('en-US');
  const word = total === 1 ? noun.one : noun.many;
  return (
    <span className={styles['count']} role="status">
      {shown === total ? `${format(total)} ${word}` : `${format(shown)} of ${format(total)} ${word}`}
    </span>
  );
}

interface Noun {
  one: string;
  many: string;
}
