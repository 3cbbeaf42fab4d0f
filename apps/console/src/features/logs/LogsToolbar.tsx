import type { LogEntry } from '@kaptain/contract/logs';
import { JobStatus } from '@kaptain/contract/vocabulary';
import { Select } from 'antd';
import type { ShownLogs } from '../../api/logs.ts';
import { ColumnChooser } from '../../shared/ColumnChooser.tsx';
import { SearchBox } from '../../shared/SearchBox.tsx';
import { TimeFilter } from '../../shared/TimeFilter.tsx';
import { ClearFilters, Toolbar, ToolbarEnd } from '../../shared/Toolbar.tsx';
import { useDebouncedText } from '../../shared/use-debounced-text.ts';
import type { TableLayout } from '../../shared/use-table.ts';
import styles from './Logs.module.css';
import type { LogState } from './log-state.ts';

interface Props {
  state: LogState;
  /** Undefined before the first answer. */
  logs: ShownLogs | undefined;
  isFiltered: boolean;
  table: TableLayout<LogEntry>;
  onRefine: (values: Partial<LogState>) => void;
  onClear: () => void;
}

const statuses = JobStatus.options.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** The number of matching runs; the service stops counting at a limit. */
function countText({ total, totalIsExact }: ShownLogs): string {
  const number = total.toLocaleString('en-US');
  if (!totalIsExact) return `more than ${number} runs`;
  return `${number} ${total === 1 ? 'run' : 'runs'}`;
}

export function LogsToolbar({ state, logs, isFiltered, table, onRefine, onClear }: Props) {
  const [typed, setTyped] = useDebouncedText(state.q, (q) => onRefine({ q }));
  return (
    <Toolbar>
      <SearchBox label="Search by log name" value={typed} onChange={setTyped} />
      <div className={styles['filters']} role="group" aria-label="Filters">
        <Select
          aria-label="Any status"
          placeholder="Any status"
          allowClear
          options={statuses}
          // antd takes null, not an empty text, for no choice.
          value={state.status || null}
          onChange={(value: string | null | undefined) => onRefine({ status: value ?? '' })}
        />
        <TimeFilter state={state} onChange={onRefine} />
        <ClearFilters isFiltered={isFiltered} onClear={onClear} />
      </div>
      <span className={styles['count']} role="status">
        {logs && countText(logs)}
      </span>
      <ToolbarEnd>
        <ColumnChooser table={table} />
      </ToolbarEnd>
    </Toolbar>
  );
}
