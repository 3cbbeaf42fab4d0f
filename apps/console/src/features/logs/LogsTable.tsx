import type { LogEntry } from '@kaptain/contract/logs';
import { Tooltip } from 'antd';
import { useRef } from 'react';
import type { ShownLogs } from '../../api/logs.ts';
import { CellText } from '../../shared/CellText.tsx';
import { CopyText } from '../../shared/CopyText.tsx';
import { type Column, DataTable } from '../../shared/DataTable.tsx';
import { actionsWidth } from '../../shared/RowActions.tsx';
import { TimeCell } from '../../shared/TimeText.tsx';
import { formatTime, parseTime } from '../../shared/time.ts';
import type { TableLayout } from '../../shared/use-table.ts';
import { LogActions } from './LogActions.tsx';
import { LogDetails } from './LogDetails.tsx';
import { HasStartColumn, LogName } from './LogName.tsx';
import styles from './Logs.module.css';
import { type LogState, pageSizes } from './log-state.ts';
import { formatDuration, timeConsuming } from './time-consuming.ts';

interface Props {
  logs: ShownLogs;
  page: number;
  size: number;
  /** The id of the open row. */
  open: string;
  onOpen: (id: string) => void;
  isLoading: boolean;
  table: TableLayout<LogEntry>;
  onRefine: (values: Partial<LogState>) => void;
}

/** Narrower than elsewhere: these columns have no sorting arrows. */
const RUN_TIME_WIDTH = 174;

// Spec 2: exactly these columns; the status of a run stands beside its name. Their least widths fit a window of 1280 pixels;
// in a smaller one some are left out, which the open row shows.
export const columnsFor = (
  mayRun: boolean,
  onRead: ((entry: LogEntry) => void) | undefined,
): Column<LogEntry>[] => [
  {
    key: '_id',
    title: 'Log ID',
    width: 84,
    leaveOut: 5,
    grows: 1,
    render: (_, { _id }) => <CopyText text={_id} />,
  },
  {
    key: 'name',
    title: 'Name',
    width: 160,
    grows: 4,
    isFixed: true,
    render: (_, entry) => <LogName entry={entry} />,
  },
  {
    key: 'type',
    title: 'Type',
    width: 62,
    leaveOut: 4,
    render: (_, { type }) => <CellText>{type}</CellText>,
  },
  {
    key: 'userId',
    title: 'User ID',
    width: 68,
    leaveOut: 3,
    grows: 1,
    render: (_, { qlikUser }) =>
      qlikUser && (
        <CellText full={qlikUser.userDirectory ? `${qlikUser.userDirectory}\\${qlikUser.userId}` : undefined}>
          {qlikUser.userId}
        </CellText>
      ),
  },
  {
    key: 'lastRunAt',
    title: 'LastRunAt',
    width: RUN_TIME_WIDTH,
    // The last one to go; without it the time stands below the name.
    leaveOut: 0,
    render: (_, { lastRunAt }) => <TimeCell value={lastRunAt} />,
  },
  {
    key: 'lastFinishedAt',
    title: 'LastFinishedAt',
    width: RUN_TIME_WIDTH,
    leaveOut: 2,
    render: (_, { lastFinishedAt }) => <TimeCell value={lastFinishedAt} />,
  },
  {
    key: 'timeConsuming',
    title: 'timeConsuming',
    width: 130,
    leaveOut: 1,
    align: 'right',
    render: (_, entry) => {
      const ms = timeConsuming(entry);
      return (
        <Tooltip title={formatDuration(ms)}>
          <span className={`also-spoken ${styles['number']}`} data-spoken={`, ${formatDuration(ms)}`}>
            {`${ms} ms`}
          </span>
        </Tooltip>
      );
    },
  },
  {
    key: 'action',
    title: 'Action',
    fixed: 'right',
    isFixed: true,
    width: actionsWidth(3),
    render: (_, entry) => <LogActions entry={entry} mayRun={mayRun} onRead={onRead} />,
  },
];

const nameOf = ({ name, lastRunAt }: LogEntry) => {
  const date = parseTime(lastRunAt);
  return date ? `${name}, ${formatTime(date)}` : name;
};
const detailsOf = (entry: LogEntry) => <LogDetails entry={entry} />;

export function LogsTable({ logs, page, size, open, onOpen, isLoading, table, onRefine }: Props) {
  const container = useRef<HTMLDivElement>(null);
  return (
    <HasStartColumn value={table.widths.has('lastRunAt') || table.choice['lastRunAt'] === false}>
      <div ref={container}>
        <DataTable
          label="Logs"
          rows={logs.data}
          table={table}
          rowKey="_id"
          nameOf={nameOf}
          // The spinner appears only after a delay, so that short loads do not flicker.
          loading={{ spinning: isLoading, delay: 300 }}
          pagination={{
            current: page,
            pageSize: size,
            total: logs.total,
            hideOnSinglePage: logs.total <= 20,
            showSizeChanger: true,
            pageSizeOptions: pageSizes,
            size: 'small',
          }}
          onChange={({ current = 1, pageSize = 50 }, _filters, _sorter, { action }) => {
            if (action !== 'paginate') return;
            onRefine({ page: String(current), size: String(pageSize) });
            container.current?.scrollIntoView({ block: 'start' });
          }}
          expandable={{
            expandedRowKeys: open ? [open] : [],
            onExpand: (isOpen, { _id }) => onOpen(isOpen ? _id : ''),
            expandedRowRender: detailsOf,
          }}
        />
      </div>
    </HasStartColumn>
  );
}
