import { Button } from 'antd';
import { useKapsules } from '../../api/kapsules.ts';
import { EmptyState } from '../../shared/EmptyState.tsx';
import { ErrorPanel } from '../../shared/ErrorPanel.tsx';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { SearchBox } from '../../shared/SearchBox.tsx';
import { ResultCount, Toolbar } from '../../shared/Toolbar.tsx';
import { useUrlState } from '../../shared/use-url-state.ts';
import { useWords } from '../../variants/use-variant.ts';
import { KapsulesTable } from './KapsulesTable.tsx';
import { matchingKapsules } from './matching-kapsules.ts';
import { useLoadFailureMessage } from './use-load-failure-message.ts';

const initial = { q: '' };

export function KapsulesPage() {
  const { kapsule, granule, database } = useWords();
  const [{ q }, setSearch] = useUrlState(initial);
  const query = useKapsules();
  useLoadFailureMessage(query.error);

  // Spec 8: a failed load empties the list, even one that was there before.
  const all = query.isError ? [] : (query.data ?? []);
  const shown = matchingKapsules(all, q);
  return (
    <>
      <PageHeader
        title={kapsule.Many}
        description={`A ${kapsule.one} binds a table of your ${database.many} to its ${granule.many}: the comments people have written on its rows.`}
      />
      {query.isError && (
        <ErrorPanel
          title={`The ${kapsule.many} could not be loaded`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <TableSkeleton />}
      {query.isSuccess && all.length === 0 && (
        <EmptyState title={`No ${kapsule.many} yet`}>
          {`The ${kapsule.many} you own and those of your groups appear here.`}
        </EmptyState>
      )}
      {all.length > 0 && (
        <>
          <Toolbar>
            <SearchBox
              label="Search by name or table"
              value={q}
              onChange={(text) => setSearch({ q: text })}
            />
            <ResultCount shown={shown.length} total={all.length} noun={kapsule} />
          </Toolbar>
          {shown.length > 0 ? (
            <KapsulesTable kapsules={shown} />
          ) : (
            <EmptyState
              title={`No ${kapsule.one} matches “${q}”`}
              action={<Button onClick={() => setSearch({ q: '' })}>Clear the search</Button>}
            >
              The search looks at the name and the table.
            </EmptyState>
          )}
        </>
      )}
    </>
  );
}
