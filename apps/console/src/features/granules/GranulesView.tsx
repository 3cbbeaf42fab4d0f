import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import { useLiveCounts } from '../../api/granule-events.ts';
import { useGranules, useRefreshGranules } from '../../api/granules.ts';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { useDialog } from '../../shared/use-dialog.ts';
import { GranulesEmpty } from './GranulesEmpty.tsx';
import { GranulesHeader } from './GranulesHeader.tsx';
import { GranulesTable } from './GranulesTable.tsx';
import { GranuleToolbar } from './GranuleToolbar.tsx';
import { LiveHint } from './LiveHint.tsx';
import { mayChange } from './may-change.ts';
import { Overview } from './Overview.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useColumns } from './use-columns.ts';
import { useGranuleState } from './use-granule-state.ts';
import { useSelection } from './use-selection.ts';

const nothing = {
  data: [],
  total: 0,
  totalIsExact: true,
  isPlain: false,
  summary: { total: 0, reloaded: 0, notReloaded: 0 },
};

export function GranulesView({ kapsule, me }: { kapsule: Kapsule; me: SessionUser }) {
  const isAdmin = me.role === 'ADMIN';
  const { state, query, refine, openRow } = useGranuleState(isAdmin);
  const list = useGranules(kapsule, query);
  const refresh = useRefreshGranules(kapsule._id);
  // Spec 8: a failed load is an empty list, silently.
  const page = list.isError ? nothing : (list.data ?? nothing);
  const hasExtras = list.isSuccess && !page.isPlain;
  const live = useLiveCounts(kapsule._id, hasExtras);
  const selection = useSelection(`${state.show} ${query.q}`);
  const [columns, setColumns] = useColumns(kapsule);
  const importing = useDialog<true>();
  const mayImport = mayChange(me.role, kapsule.authority);
  const isFresher = live !== undefined && live.at > list.dataUpdatedAt;

  return (
    <>
      <GranulesHeader
        kapsule={kapsule}
        hasExtras={hasExtras}
        importing={importing}
        mayImport={mayImport}
        role={me.role}
        onImported={() => void refresh()}
      />
      <Overview
        kapsuleId={kapsule._id}
        counts={isFresher ? live.counts : page.summary}
        isKnown={list.isSuccess || isFresher}
        hasExtras={hasExtras}
      />
      <GranuleToolbar
        kapsule={kapsule}
        me={me}
        page={page}
        query={query}
        show={state.show}
        selection={selection}
        hasExtras={hasExtras}
        columns={columns}
        onColumns={setColumns}
        onRefine={refine}
      />
      <SelectionBar page={page} selection={selection} isDeletedView={query.deleted} />
      {isFresher && (
        <LiveHint
          live={live}
          shown={page.summary}
          shownAt={list.dataUpdatedAt}
          onShow={() => void refresh()}
        />
      )}
      {list.isPending && <TableSkeleton />}
      {!list.isPending && page.data.length === 0 && (
        <GranulesEmpty
          query={query}
          page={page}
          hasFailed={list.isError}
          isFetching={list.isFetching}
          onRetry={() => void refresh()}
          onRefine={refine}
          onImport={mayImport ? () => importing.open(true) : undefined}
        />
      )}
      {page.data.length > 0 && (
        <GranulesTable
          kapsule={kapsule}
          page={page}
          query={query}
          columns={columns}
          open={state.open}
          onOpen={openRow}
          isLoading={list.isPlaceholderData}
          selection={selection}
          onRefine={refine}
        />
      )}
    </>
  );
}
