import type { LogEntry } from '@kaptain/contract/logs';
import { createContext, use } from 'react';
import { CellText } from '../../shared/CellText.tsx';
import { RunStatus } from '../../shared/RunStatus.tsx';
import { TimeCell } from '../../shared/TimeText.tsx';
import styles from './Logs.module.css';

/** Whether the start of a run has a column, or the user has hidden that column. */
export const HasStartColumn = createContext(true);

/** The name and status of a run; without room for a column of its start, also when it began. */
export function LogName({ entry }: { entry: LogEntry }) {
  const tellsStart = !use(HasStartColumn);
  return (
    <div className={`${styles['name']} ${tellsStart ? styles['withStart'] : ''}`}>
      <CellText>
        <strong>{entry.name}</strong>
      </CellText>
      <RunStatus entry={entry} />
      {tellsStart && <TimeCell value={entry.lastRunAt} />}
    </div>
  );
}
