import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { auditExportPath, useAuditEntries } from '../../api/audit.ts';
import { download } from '../../api/downloads.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { useConfirmDownload } from '../../shared/use-confirm-download.ts';
import { useTable } from '../../shared/use-table.ts';
import { useUrlState } from '../../shared/use-url-state.ts';
import { useWords } from '../../variants/use-variant.ts';
import styles from './Audit.module.css';
import { AuditFilters } from './AuditFilters.tsx';
import { AuditTable, columnsFor } from './AuditTable.tsx';
import { filterOf, noFilter } from './audit-filter.ts';

export function AuditPage() {
  const [state, change] = useUrlState(noFilter);
  const query = useAuditEntries(state, () => filterOf(state, Date.now()));
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.values(state).some((value) => value !== '');
  const isSearch = state.q.trim() !== '';
  const clear = () => change(noFilter);
  const confirm = useConfirmDownload();
  const exportCsv = () =>
    confirm({
      title: `Are you sure to export ${isFiltered ? 'the entries that match the filters' : 'all entries'} as CSV?`,
      content: 'The export is an entry of the audit trail, too.',
      run: () => download(auditExportPath(filterOf(state, Date.now()))),
    });
  const columns = columnsFor(useWords(), (target) => change({ target }));
  const table = useTable('audit', columns, { controls: 1 });

  return (
    <>
      <PageHeader
        title="Audit"
        description="Who did what, when and from where. Entries are written with the change itself and can’t be edited."
        actions={
          <>
            <Button icon={<DownloadOutlined aria-hidden="true" />} onClick={exportCsv}>
              Export CSV
            </Button>
            <Button loading={query.isRefetching} onClick={() => void query.refetch()}>
              Refresh
            </Button>
          </>
        }
      />
      <AuditFilters
        state={state}
        entries={entries}
        onChange={change}
        table={table}
        isFiltered={isFiltered}
        onClear={clear}
      />
      {query.isPending && <TableSkeleton />}
      {query.isError && entries.length === 0 && (
        <ErrorPanel
          title="The audit trail could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isSuccess && entries.length === 0 && !query.hasNextPage && (
        <EmptyState
          title={isFiltered ? 'No entry matches these filters' : 'No entries yet'}
          action={isFiltered && <Button onClick={clear}>Clear the filters</Button>}
        >
          Sign-ins and every change to users, groups and keys appear here.
        </EmptyState>
      )}
      {entries.length > 0 && <AuditTable entries={entries} table={table} />}
      {query.hasNextPage && (
        <div className={styles['more']}>
          {isSearch && entries.length === 0 && <span role="status">None of the newest entries matches.</span>}
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {isSearch ? 'Search older entries' : 'Load more'}
          </Button>
          {query.isFetchNextPageError && <span role="alert">{query.error.message}</span>}
        </div>
      )}
    </>
  );
}
