import { DownloadOutlined, EditOutlined } from '@ant-design/icons';
import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import { App, Button } from 'antd';
import { Suspense, useState } from 'react';
import { isUnknownCall } from '../../../api/is-unknown-call.ts';
import { lazyPart } from '../../../api/load-code.ts';
import { downloadMisfits, lookUp, type MisfitQuery, useMisfits } from '../../../api/misfits.ts';
import type { ShownRow } from '../../../api/set-field.ts';
import { DataTable } from '../../../shared/DataTable.tsx';
import { EmptyState } from '../../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../../shared/ErrorPanel.tsx';
import { messageOf } from '../../../shared/message-of.ts';
import { PageHeader } from '../../../shared/PageHeader.tsx';
import { PageLink } from '../../../shared/PageLink.tsx';
import { TableSkeleton } from '../../../shared/PageSkeleton.tsx';
import { SearchBox } from '../../../shared/SearchBox.tsx';
import { SelectionButton } from '../../../shared/SelectionButton.tsx';
import { StatusLine, Toolbar, ToolbarEnd } from '../../../shared/Toolbar.tsx';
import { useConfirmDownload } from '../../../shared/use-confirm-download.ts';
import { useDebouncedText } from '../../../shared/use-debounced-text.ts';
import { useDialog } from '../../../shared/use-dialog.ts';
import { useTable } from '../../../shared/use-table.ts';
import { useUrlState } from '../../../shared/use-url-state.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { countText } from '../changed-text.ts';
import { mayEdit } from '../may-change.ts';
import { MisfitFilter } from './MisfitFilter.tsx';
import styles from './Misfits.module.css';
import { misfitColumns } from './misfit-columns.tsx';
import { granulesOf, type MisfitRow, misfitRows, sharedField } from './misfit-rows.ts';

const GranuleEditDialog = lazyPart('GranuleEditDialog', () => import('../GranuleEditDialog.tsx'));
const SetFieldDialog = lazyPart('SetFieldDialog', () => import('./SetFieldDialog.tsx'));

const initial: Record<keyof MisfitQuery, string> = { field: '', rule: '', q: '' };
const values = { one: 'value', many: 'values' };

/** Search, counts and rows of the values that do not fit, which are edited one by one or all alike. */
export function MisfitsView({ kapsule, me }: { kapsule: Kapsule; me: SessionUser }) {
  const words = useWords();
  const { message } = App.useApp();
  const confirm = useConfirmDownload();
  const [state, refine] = useUrlState(initial);
  const query: MisfitQuery = { field: state.field, rule: state.rule, q: state.q };
  const [typed, setTyped] = useDebouncedText(state.q, (q) => refine({ q }));
  const { data: page, error, isPlaceholderData, refetch } = useMisfits(kapsule._id, query);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const editing = useDialog<Granule>();
  const setting = useDialog<readonly ShownRow[]>();
  const isWriter = mayEdit(me.role, kapsule);

  const edit = async ({ key }: MisfitRow) => {
    try {
      const [granule] = await lookUp(kapsule._id, [key]);
      if (granule) editing.open(granule);
      else void message.info(`${key} is deleted.`);
    } catch (failure) {
      void message.error(messageOf(failure));
    }
  };
  const table = useTable<MisfitRow>(
    `misfits.${kapsule._id}`,
    misfitColumns(kapsule, isWriter ? (row) => void edit(row) : undefined),
    { controls: isWriter ? 1 : 0 },
  );
  const rows = misfitRows(page?.rows ?? []);
  const granules = granulesOf(rows, selected);
  const again = () => {
    setSelected([]);
    void refetch();
  };
  const isFiltered = state.q !== '' || state.field !== '' || state.rule !== '';

  return (
    <>
      <PageHeader
        title="Values that do not fit"
        description={
          <>
            <span className={styles['of']}>
              <PageLink to={`/data/kapsules/${encodeURIComponent(kapsule._id)}`}>{kapsule.name}</PageLink>
            </span>
            Stored values that break the type or a rule of their field. They stay readable until they are
            changed.
          </>
        }
      />
      <Toolbar>
        <SearchBox value={typed} onChange={setTyped} label="Search in the whole record" />
        <ToolbarEnd>
          {isWriter && (
            <SelectionButton
              icon={<EditOutlined aria-hidden="true" />}
              count={granules.length}
              onClick={() => setting.open(granules)}
            >
              Set or clear a field
            </SelectionButton>
          )}
          <Button
            icon={<DownloadOutlined aria-hidden="true" />}
            disabled={!page || page.count === 0}
            onClick={() =>
              confirm({
                title: `Are you sure to export ${countText(page?.count ?? 0, values)} as CSV?`,
                content: 'The file holds key, field, rule, value and reason of what the search leaves.',
                run: () => downloadMisfits(kapsule._id, query),
              })
            }
          >
            Export CSV
          </Button>
        </ToolbarEnd>
      </Toolbar>
      {page && page.rules.length > 0 && (
        <MisfitFilter
          kapsule={kapsule}
          rules={page.rules}
          field={state.field}
          rule={state.rule}
          onChange={(chosen) => {
            setSelected([]);
            refine(chosen);
          }}
        />
      )}
      <StatusLine>
        {page && (
          <span role="status">
            {`${countText(page.count, values)} in ${countText(page.granules, words.granule)}`}
            {page.isCut && `; the first ${countText(rows.length, values)} are listed`}
          </span>
        )}
      </StatusLine>
      {!page && !error && <TableSkeleton />}
      {!page && error && (
        <ErrorPanel
          title={
            isUnknownCall(error)
              ? 'This service does not look for values that do not fit'
              : 'The values could not be looked through'
          }
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {page && rows.length === 0 && (
        <EmptyState
          title={isFiltered ? 'No results' : 'All stored values fit'}
          action={isFiltered && <Button onClick={() => refine(initial)}>Clear the filters</Button>}
        />
      )}
      {rows.length > 0 && (
        <DataTable<MisfitRow>
          label="Values that do not fit"
          rows={rows}
          table={table}
          rowKey="id"
          loading={{ spinning: isPlaceholderData, delay: 300 }}
          {...(isWriter && {
            rowSelection: {
              selectedRowKeys: [...selected],
              onChange: (chosen: readonly unknown[]) => setSelected(chosen.map(String)),
              getTitleCheckboxProps: () => ({ 'aria-label': 'Select all of this page' }),
              getCheckboxProps: ({ key, field }: MisfitRow) => ({
                'aria-label': `Select ${field} of ${key}`,
              }),
            },
          })}
        />
      )}
      <Suspense fallback={null}>
        {editing.about && (
          <GranuleEditDialog dialog={editing} granule={editing.about} kapsule={kapsule} onSaved={again} />
        )}
        {setting.about && (
          <SetFieldDialog
            dialog={setting}
            kapsule={kapsule}
            rows={setting.about}
            field={state.field || sharedField(rows, selected)}
            onSaved={again}
          />
        )}
      </Suspense>
    </>
  );
}
