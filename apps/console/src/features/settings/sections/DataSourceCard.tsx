import type { DataSourceType } from '@kaptain/contract/vocabulary';
import type { ReactNode } from 'react';
import { useConnectionTest } from '../fields/ConnectionTest.tsx';
import { FieldGrid } from '../fields/FieldGrid.tsx';
import styles from '../Settings.module.css';
import { dataSourceGroup } from '../setting-groups.ts';

/** One entry of the list, drawn from the fields of its type. */
export function DataSourceCard({ type, removeButton }: { type: DataSourceType; removeButton: ReactNode }) {
  const { at, title, fields } = dataSourceGroup(type);
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
