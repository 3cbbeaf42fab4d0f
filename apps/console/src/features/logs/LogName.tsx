import type { LogEntry } from '@kaptain/contract/logs';
import { createContext, use } from 'react';
import { CellText } from '../../shared/CellText.tsx';
import { NarrowTable } from '../../shared/RowActions.tsx';
import { RunStatus } from '../../shared/RunStatus.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import styles from './Logs.module.css';

/** Whether a column tells when a run began. */
export const HasStartColumn = createContext(true);

/** The name and status of a run; on a phone without room for that column, also when it began. */
export function LogName({ entry }: { entry: LogEntry }) {
  const hasStartColumn = use(HasStartColumn);
  const tellsStart = use(NarrowTable) && !hasStartColumn;
  return (
    <div className={styles['name']}>
      <CellText>
        <strong>{entry.name}</strong>
      </CellText>
      <RunStatus entry={entry} />
      {tellsStart && <TimeText value={entry.lastRunAt} />}
    </div>
  );
}
