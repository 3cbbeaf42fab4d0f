import type { ReactNode } from 'react';
import styles from './DataTable.module.css';

interface Props {
  children: ReactNode;
  /** The text of the tooltip where it is more than the cell has. */
  full?: string | undefined;
}

/** A text of one line in a table. Where it is cut, hover and focus show the whole of it (see `useCutTexts`). */
export function CellText({ children, full }: Props) {
  return (
    <span className={styles['text']} data-cut={full ?? ''}>
      {children}
    </span>
  );
}
