import { Button } from 'antd';
import { useAuditEntries } from '../../api/audit.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
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
  const clear = () => change(noFilter);
  const columns = columnsFor(useWords(), (target) => change({ target }));
  const table = useTable('audit', columns, { controls: 1 });

  return (
    <>
      <PageHeader
        title="Audit"
        description="Who did what, when and from where. Entries are written with the change itself and can’t be edited."
        actions={
          <Button loading={query.isRefetching} onClick={() => void query.refetch()}>
            Refresh
          </Button>
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
      {query.isSuccess && entries.length === 0 && (
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
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
          {query.isFetchNextPageError && <span role="alert">{query.error.message}</span>}
        </div>
      )}
    </>
  );
}
