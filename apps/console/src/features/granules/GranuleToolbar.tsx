import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import { Button, Segmented } from 'antd';
import type { ReactNode } from 'react';
import type { GranuleQuery, ShownGranules } from '../../api/granules.ts';
import { ColumnChooser } from '../../shared/ColumnChooser.tsx';
import { SearchBox } from '../../shared/SearchBox.tsx';
import { Toolbar, ToolbarEnd } from '../../shared/Toolbar.tsx';
import { useDebouncedText } from '../../shared/use-debounced-text.ts';
import type { TableLayout } from '../../shared/use-table.ts';
import { ExportMenu } from './ExportMenu.tsx';
import styles from './Granules.module.css';
import type { GranuleState, Show } from './granule-state.ts';
import { SelectionAction } from './SelectionAction.tsx';
import type { Selection } from './use-selection.ts';

interface Props {
  kapsule: Kapsule;
  me: SessionUser;
  page: ShownGranules;
  query: GranuleQuery;
  show: string;
  selection: Selection;
  hasExtras: boolean;
  table: TableLayout<Granule>;
  onRefine: (values: Partial<GranuleState>) => void;
  /** Stands last, where nothing moves when it appears. */
  after?: ReactNode;
}

const shows: { value: Show; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'reloaded', label: 'Reloaded' },
  { value: 'notReloaded', label: 'Not Reloaded' },
];

export function GranuleToolbar(props: Props) {
  const { kapsule, me, page, query, show, selection, hasExtras, table, onRefine, after } = props;
  const [typed, setTyped] = useDebouncedText(query.q, (q) => onRefine({ q }));
  return (
    <Toolbar>
      <SearchBox label="Search in the whole record" value={typed} onChange={setTyped} />
      <Segmented
        className={styles['filter'] ?? ''}
        aria-label="Filter"
        options={shows}
        value={show}
        onChange={(value) => onRefine({ show: value })}
      />
      {hasExtras && me.role === 'ADMIN' && (
        <Button
          // One type for both states: with another one antd makes a new button, and the focus is lost with the old one.
          type="text"
          className={styles['deleted'] ?? ''}
          aria-pressed={query.deleted}
          onClick={() => onRefine({ show: query.deleted ? 'all' : 'deleted' })}
        >
          Deleted
        </Button>
      )}
      <ToolbarEnd>
        <SelectionAction kapsule={kapsule} me={me} page={page} query={query} selection={selection} />
        <ColumnChooser table={table} />
        {hasExtras && <ExportMenu kapsule={kapsule} page={page} query={query} />}
        {after}
      </ToolbarEnd>
    </Toolbar>
  );
}
