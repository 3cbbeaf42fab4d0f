import { Button } from 'antd';
import type { ReactNode } from 'react';
import styles from './Toolbar.module.css';

/** The line above a table: search, filters, result count. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className={styles['toolbar']}>{children}</div>;
}

/** The actions at the end of the line. */
export function ToolbarEnd({ children }: { children: ReactNode }) {
  return <div className={styles['end']}>{children}</div>;
}

/** The line between the toolbar and a table: its height never changes, so that the rows do not move. */
export function StatusLine({ children }: { children: ReactNode }) {
  return <div className={styles['status']}>{children}</div>;
}

/** The controls at the end of that line. */
export function StatusEnd({ children }: { children: ReactNode }) {
  return <div className={styles['statusEnd']}>{children}</div>;
}

interface ClearFiltersProps {
  isFiltered: boolean;
  onClear: () => void;
}

/** Appears in its place when a filter is set. */
export function ClearFilters({ isFiltered, onClear }: ClearFiltersProps) {
  return (
    <Button type="text" className={isFiltered ? '' : (styles['placeholder'] ?? '')} onClick={onClear}>
      Clear the filters
    </Button>
  );
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
