import type { AuditEntry } from '@kaptain/contract/audit';
import { Select } from 'antd';
import { ColumnChooser } from '../../shared/ColumnChooser.tsx';
import { SearchBox } from '../../shared/SearchBox.tsx';
import { TimeFilter } from '../../shared/TimeFilter.tsx';
import { ClearFilters, ToolbarEnd } from '../../shared/Toolbar.tsx';
import { useDebouncedText } from '../../shared/use-debounced-text.ts';
import type { TableLayout } from '../../shared/use-table.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Audit.module.css';
import type { FilterState } from './audit-filter.ts';
import { type TargetOption, useFilterOptions } from './use-filter-options.ts';

interface Props {
  state: FilterState;
  /** The shown entries: they also name deleted users and objects. */
  entries: readonly AuditEntry[];
  onChange: (change: Partial<FilterState>) => void;
  table: TableLayout<AuditEntry>;
  isFiltered: boolean;
  onClear: () => void;
}

const targetOption = ({ data: { kind, label } }: { data: TargetOption }) => (
  <>
    <span className={styles['kind']}>{kind}</span>
    {label}
  </>
);
const byLabel = { optionFilterProp: 'label' };

export function AuditFilters({ state, entries, table, isFiltered, onChange, onClear }: Props) {
  const { actors, actions, targets } = useFilterOptions(state, entries, useWords());
  const [typed, setTyped] = useDebouncedText(state.q, (q) => onChange({ q }));
  const field = (name: 'actor' | 'action' | 'target', label: string) => ({
    'aria-label': label,
    placeholder: label,
    allowClear: true,
    // antd takes null, not an empty text, for no choice.
    value: state[name] || null,
    onChange: (value: string | null | undefined) => onChange({ [name]: value ?? '' }),
  });

  return (
    <div className={styles['filters']} role="search" aria-label="Filters">
      <SearchBox label="Search in all entries" value={typed} onChange={setTyped} />
      <Select {...field('actor', 'Anybody')} showSearch={byLabel} options={actors} />
      <Select {...field('action', 'Any action')} showSearch={byLabel} options={actions} />
      <Select
        {...field('target', 'Any target')}
        showSearch={byLabel}
        options={targets}
        optionRender={targetOption}
      />
      <TimeFilter state={state} onChange={onChange} />
      <ClearFilters isFiltered={isFiltered} onClear={onClear} />
      <ToolbarEnd>
        <ColumnChooser table={table} />
      </ToolbarEnd>
    </div>
  );
}
