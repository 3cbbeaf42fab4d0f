import type { LogEntry } from '@kaptain/contract/logs';
import { Tooltip } from 'antd';
import { useRef } from 'react';
import type { ShownLogs } from '../../api/logs.ts';
import { CopyText } from '../../shared/CopyText.tsx';
import { type Column, DataTable } from '../../shared/DataTable.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { LogActions } from './LogActions.tsx';
import { LogDetails } from './LogDetails.tsx';
import styles from './Logs.module.css';
import { type LogState, pageSizes } from './log-state.ts';
import { RunStatus } from './RunStatus.tsx';
import { formatDuration, timeConsuming } from './time-consuming.ts';

interface Props {
  logs: ShownLogs;
  page: number;
  size: number;
  /** The id of the open row. */
  open: string;
  onOpen: (id: string) => void;
  isLoading: boolean;
  mayRun: boolean;
  onRefine: (values: Partial<LogState>) => void;
}

// Spec 2: exactly these columns; the status of a run stands beside its name.
const columnsFor = (mayRun: boolean): Column<LogEntry>[] => [
  {
    key: '_id',
    title: 'Log ID',
    className: styles['id'] ?? '',
    render: (_, { _id }) => <CopyText text={_id} />,
  },
  {
    key: 'name',
    title: 'Name',
    render: (_, entry) => (
      <div className={styles['name']}>
        <strong title={entry.name}>{entry.name}</strong>
        <RunStatus entry={entry} />
      </div>
    ),
  },
  { key: 'type', title: 'Type', dataIndex: 'type' },
  {
    key: 'userId',
    title: 'User ID',
    render: (_, { qlikUser }) =>
      qlikUser?.userDirectory ? (
        <Tooltip title={`${qlikUser.userDirectory}\\${qlikUser.userId}`}>
          <span>{qlikUser.userId}</span>
        </Tooltip>
      ) : (
        qlikUser?.userId
      ),
  },
  { key: 'lastRunAt', title: 'LastRunAt', render: (_, { lastRunAt }) => <TimeText value={lastRunAt} /> },
  {
    key: 'lastFinishedAt',
    title: 'LastFinishedAt',
    render: (_, { lastFinishedAt }) => <TimeText value={lastFinishedAt} />,
  },
  {
    key: 'timeConsuming',
    title: 'timeConsuming',
    align: 'right',
    render: (_, entry) => {
      const ms = timeConsuming(entry);
      return (
        <Tooltip title={formatDuration(ms)}>
          <span className={styles['number']}>{`${ms} ms`}</span>
        </Tooltip>
      );
    },
  },
  {
    key: 'action',
    title: 'Action',
    fixed: 'right',
    width: 1,
    render: (_, entry) => <LogActions entry={entry} mayRun={mayRun} />,
  },
];

const detailsOf = (entry: LogEntry) => <LogDetails entry={entry} />;

export function LogsTable({ logs, page, size, open, onOpen, isLoading, mayRun, onRefine }: Props) {
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place} className={styles['table']}>
      <DataTable
        label="Logs"
        rows={logs.data}
        columns={columnsFor(mayRun)}
        rowKey="_id"
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
          place.current?.scrollIntoView({ block: 'start' });
        }}
        expandable={{
          fixed: 'left',
          expandedRowKeys: open ? [open] : [],
          onExpand: (isOpen, { _id }) => onOpen(isOpen ? _id : ''),
          expandedRowRender: detailsOf,
        }}
      />
    </div>
  );
}
