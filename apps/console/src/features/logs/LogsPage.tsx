import { PlayCircleOutlined } from '@ant-design/icons';
import type { LogEntry } from '@kaptain/contract/logs';
import { Button } from 'antd';
import { type ShownLogs, useLogs, useRefreshLogs } from '../../api/logs.ts';
import { PageHeader } from '../../shared/PageHeader.tsx';
import { TableSkeleton } from '../../shared/PageSkeleton.tsx';
import { useScreenUser } from '../../shared/session-storage.ts';
import { useAskedAction } from '../../shared/use-asked-action.ts';
import { useDialog } from '../../shared/use-dialog.ts';
import { useTable } from '../../shared/use-table.ts';
import { useWords } from '../../variants/use-variant.ts';
import { DurationChart } from './DurationChart.tsx';
import { LogsEmpty } from './LogsEmpty.tsx';
import { columnsFor, LogsTable } from './LogsTable.tsx';
import { LogsToolbar } from './LogsToolbar.tsx';
import { filterOf } from './log-state.ts';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { ScriptLogDrawer } from './ScriptLogDrawer.tsx';
import { StartReloadDialog } from './StartReloadDialog.tsx';
import { useLogState } from './use-log-state.ts';

const nothing: ShownLogs = { data: [], total: 0, totalIsExact: true, isPlain: true };

export function LogsPage() {
  const { kapsule, platform } = useWords();
  const me = useScreenUser();
  const { state, key, page, size, isFiltered, refine, clear, openRow } = useLogState();
  const query = useLogs({ key, filter: () => filterOf(state, Date.now()), page, size });
  const refresh = useRefreshLogs();
  const starting = useDialog<'start'>();
  useAskedAction(() => starting.open('start'));
  const scheduling = useDialog<'schedule'>();
  const reading = useDialog<LogEntry>();

  // Spec 8: a failed load is an empty list, silently.
  const logs = query.isError ? nothing : (query.data ?? nothing);
  const isAdmin = me?.role === 'ADMIN';
  const mayRun = isAdmin && query.isSuccess && !logs.isPlain;
  const hasExtras = query.isPending || (query.isSuccess && !logs.isPlain);
  const table = useTable('logs', columnsFor(mayRun, hasExtras ? reading.open : undefined), { controls: 1 });
  const hasRows = logs.data.length > 0;
  return (
    <>
      <PageHeader
        title="Logs"
        description={
          isAdmin
            ? `Every run of a reload in ${platform}, newest first.`
            : `The runs of reloads in ${platform} that you asked for, and those of ${kapsule.many} you may read, newest first.`
        }
        actions={
          <>
            <Button loading={query.isRefetching && !hasRows} onClick={() => void refresh()}>
              Refresh
            </Button>
            {mayRun && (
              <>
                <Button onClick={() => scheduling.open('schedule')}>Schedules</Button>
                <Button
                  type="primary"
                  icon={<PlayCircleOutlined aria-hidden />}
                  onClick={() => starting.open('start')}
                >
                  Start Reload
                </Button>
              </>
            )}
          </>
        }
      />
      <DurationChart state={state} filterKey={key} />
      <LogsToolbar
        state={state}
        logs={query.isSuccess ? logs : undefined}
        isFiltered={isFiltered}
        table={table}
        onRefine={refine}
        onClear={clear}
      />
      {query.isPending && <TableSkeleton />}
      {!query.isPending && !hasRows && (
        <LogsEmpty
          hasFailed={query.isError}
          isFetching={query.isFetching}
          isFiltered={isFiltered}
          isBeyond={logs.total > 0}
          onRetry={() => void refresh()}
          onFirstPage={() => refine({})}
          onClear={clear}
          onStart={mayRun ? () => starting.open('start') : undefined}
        />
      )}
      {hasRows && (
        <LogsTable
          logs={logs}
          page={page}
          size={size}
          open={state.open}
          onOpen={openRow}
          isLoading={query.isPlaceholderData}
          table={table}
          onRefine={refine}
        />
      )}
      {starting.about && <StartReloadDialog dialog={starting} />}
      {scheduling.about && <ScheduleDialog dialog={scheduling} />}
      {reading.about && (
        <ScriptLogDrawer
          dialog={reading}
          // As it is now, while it is on this page.
          entry={logs.data.find(({ _id }) => _id === reading.about?._id) ?? reading.about}
        />
      )}
    </>
  );
}
