import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import type { SessionUser } from '@kaptain/contract/session';
import { Suspense, useEffect, useEffectEvent } from 'react';
import { useLiveCounts } from '../../api/granule-events.ts';
import { useGranules, useMatchingCount, useRefreshGranules } from '../../api/granules.ts';
import { lazyPart } from '../../api/load-code.ts';
import { takeFiles } from '../../shared/hand-over-files.ts';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { StatusEnd, StatusLine } from '../../shared/Toolbar.tsx';
import { useDialog } from '../../shared/use-dialog.ts';
import { useMediaQuery } from '../../shared/use-media-query.ts';
import { useTable } from '../../shared/use-table.ts';
import { FieldFilters } from './FieldFilters.tsx';
import { GranulesEmpty } from './GranulesEmpty.tsx';
import { GranulesHeader } from './GranulesHeader.tsx';
import { GranulesTable } from './GranulesTable.tsx';
import { GranuleToolbar } from './GranuleToolbar.tsx';
import { columnsFor } from './granule-columns.tsx';
import { KapsuleHub } from './hub/KapsuleHub.tsx';
import { LiveHint } from './LiveHint.tsx';
import { MatchCount } from './MatchCount.tsx';
import { MisfitsLink } from './MisfitsLink.tsx';
import { mayEdit, mayImport } from './may-change.ts';
import { Overview } from './Overview.tsx';
import { SavedViews } from './SavedViews.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useGranuleState } from './use-granule-state.ts';
import { useSelection } from './use-selection.ts';

const GranuleEditDialog = lazyPart('GranuleEditDialog', () => import('./GranuleEditDialog.tsx'));

const nothing = {
  data: [],
  total: 0,
  totalIsExact: true,
  isPlain: false,
  summary: { total: 0, reloaded: 0, notReloaded: 0 },
};

export function GranulesView({ kapsule, me }: { kapsule: Kapsule; me: SessionUser }) {
  const isAdmin = me.role === 'ADMIN';
  const { state, query, refine, openRow } = useGranuleState(isAdmin, kapsule);
  const list = useGranules(kapsule, query);
  const refresh = useRefreshGranules(kapsule._id);
  // Spec 8: a failed load is an empty list, silently.
  const listed = list.isError ? nothing : (list.data ?? nothing);
  const counted = useMatchingCount(kapsule._id, query, {
    enabled: !listed.totalIsExact && !list.isPlaceholderData,
  });
  const page = counted.total === undefined ? listed : { ...listed, total: counted.total, totalIsExact: true };
  const hasExtras = list.isSuccess && !page.isPlain;
  // Shown before the first answer, too, so that the toolbar does not move when it arrives.
  const offersExtras = list.isPending || hasExtras;
  const live = useLiveCounts(kapsule._id, hasExtras);
  const selection = useSelection(`${state.show} ${query.q} ${state.where}`);
  const table = useTable(`granules.${kapsule._id}`, columnsFor(kapsule, query.deleted), { controls: 2 });
  const importing = useDialog<readonly File[]>();
  // Here and not in its row, which may leave the page while the user types.
  const editing = useDialog<Granule>();
  const isImportable = mayImport(me.role, kapsule.authority);
  const isEditable = mayEdit(me.role, kapsule);
  const offerFiles = useEffectEvent(() => {
    const files = takeFiles(kapsule._id);
    if (files && isImportable) importing.open(files);
  });
  useEffect(() => offerFiles(), []);
  const isFresher = live !== undefined && live.at > list.dataUpdatedAt;

  // The line above the table has no room for it on a phone.
  const isWide = useMediaQuery('(min-width: 768px)');
  const misfits = hasExtras && <MisfitsLink kapsuleId={kapsule._id} total={page.summary.total} />;

  return (
    <>
      <GranulesHeader
        kapsule={kapsule}
        hasExtras={offersExtras}
        canCheck={hasExtras}
        importing={importing}
        mayImport={isImportable}
        isEditable={isEditable}
        role={me.role}
        onImported={() => void refresh()}
      />
      <KapsuleHub kapsule={kapsule} me={me} />
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
        hasExtras={offersExtras}
        table={table}
        onRefine={refine}
        after={!isWide && misfits}
      />
      <StatusLine>
        {selection.ids.length > 0 ? (
          <SelectionBar page={page} selection={selection} isCounting={counted.isCounting} />
        ) : (
          list.isSuccess && <MatchCount page={page} query={query} isCounting={counted.isCounting} />
        )}
        {isFresher && (
          <LiveHint
            live={live}
            shown={page.summary}
            shownAt={list.dataUpdatedAt}
            onShow={() => void refresh()}
          />
        )}
        <StatusEnd>
          {isWide && misfits}
          <FieldFilters kapsule={kapsule} where={query.where} onRefine={refine} />
          {offersExtras && (
            <SavedViews kapsule={kapsule} hasExtras={hasExtras} state={state} onRefine={refine} />
          )}
        </StatusEnd>
      </StatusLine>
      {list.isPending && <TableSkeleton />}
      {!list.isPending && page.data.length === 0 && (
        <GranulesEmpty
          query={query}
          page={page}
          hasFailed={list.isError}
          isFetching={list.isFetching}
          onRetry={() => void refresh()}
          onRefine={refine}
          onImport={isImportable ? () => importing.open([]) : undefined}
        />
      )}
      {page.data.length > 0 && (
        <GranulesTable
          kapsule={kapsule}
          page={page}
          query={query}
          table={table}
          open={state.open}
          onOpen={openRow}
          isLoading={list.isPlaceholderData}
          onEdit={hasExtras && !query.deleted && isEditable ? editing.open : undefined}
          selection={selection}
          onRefine={refine}
        />
      )}
      <Suspense fallback={null}>
        {editing.about && <GranuleEditDialog dialog={editing} granule={editing.about} kapsule={kapsule} />}
      </Suspense>
    </>
  );
}
