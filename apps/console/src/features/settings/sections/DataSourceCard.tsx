import type { DataSourceType } from '@kaptain/contract/vocabulary';
import { type ReactNode, useEffect, useRef } from 'react';
import { useConnectionTest } from '../fields/ConnectionTest.tsx';
import { FieldGrid } from '../fields/FieldGrid.tsx';
import { goToField } from '../first-error.ts';
import styles from '../Settings.module.css';
import { dataSourceGroup } from '../setting-groups.ts';

interface Props {
  type: DataSourceType;
  /** Added just now: its first field takes the focus. */
  isNew: boolean;
  removeButton: ReactNode;
}

/** One entry of the list, drawn from the fields of its type. */
export function DataSourceCard({ type, isNew, removeButton }: Props) {
  const { at, title, fields } = dataSourceGroup(type);
  const first = useRef(isNew ? fields[0]?.key : undefined);
  useEffect(() => {
    if (first.current !== undefined) goToField([type, first.current]);
  }, [type]);
  const { button, result } = useConnectionTest({ target: type, name: title, fields: [[type]] });
  return (
    <article className={styles['source']} aria-labelledby={`source-${type}`}>
      <header>
        <h3 id={`source-${type}`}>{title}</h3>
        <div>
          {button}
          {removeButton}
        </div>
      </header>
      {result}
      <FieldGrid at={at} fields={fields} />
    </article>
  );
}
