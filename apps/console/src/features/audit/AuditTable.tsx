import type { AuditEntry } from '@kaptain/contract/audit';
import { Tag } from 'antd';
import { CellText } from '../../shared/CellText.tsx';
import { type Column, DataTable } from '../../shared/DataTable.tsx';
import { TIME_WIDTH, TimeCell } from '../../shared/TimeText.tsx';
import { formatTime, parseTime } from '../../shared/time.ts';
import type { TableLayout } from '../../shared/use-table.ts';
import { useUrlState } from '../../shared/use-url-state.ts';
import { useWords } from '../../variants/use-variant.ts';
import type { Words } from '../../variants/variant.ts';
import styles from './Audit.module.css';
import { AuditDetails } from './AuditDetails.tsx';
import { actionName, targetKind } from './audit-words.ts';
import { TargetLink } from './TargetLink.tsx';

interface Props {
  entries: readonly AuditEntry[];
  table: TableLayout<AuditEntry>;
}

export const columnsFor = (words: Words, onTarget: (target: string) => void): Column<AuditEntry>[] => [
  {
    key: 'at',
    title: 'When',
    width: TIME_WIDTH,
    isFixed: true,
    render: (_, { at }) => <TimeCell value={at} />,
  },
  {
    key: 'actor',
    title: 'Who',
    width: 140,
    grows: 1,
    render: (_, { actor }) => (
      <CellText>
        <strong>{actor}</strong>
      </CellText>
    ),
  },
  {
    key: 'action',
    title: 'What',
    width: 190,
    grows: 1,
    render: (_, { action, result }) => (
      <>
        {actionName(action, words)} {result === 'refused' && <Tag color="error">Refused</Tag>}
      </>
    ),
  },
  {
    key: 'target',
    title: 'Target',
    width: 190,
    grows: 2,
    render: (_, { target, targetName }) =>
      target && (
        <TargetLink
          kind={targetKind(target, words)}
          name={targetName ?? target.replace(/^\w+:/, '')}
          onChoose={() => onTarget(target)}
        />
      ),
  },
  {
    key: 'ip',
    title: 'From',
    width: 150,
    leaveOut: 1,
    render: (_, { ip }) => (
      <CellText>
        <code className={styles['code']}>{ip}</code>
      </CellText>
    ),
  },
];

const nameFor =
  (words: Words) =>
  ({ at, action, targetName }: AuditEntry) => {
    const date = parseTime(at);
    return [actionName(action, words), targetName, date && formatTime(date)].filter(Boolean).join(', ');
  };
const detailsOf = (entry: AuditEntry) => <AuditDetails entry={entry} />;
const closed = { open: '' };

export function AuditTable({ entries, table }: Props) {
  const [{ open }, setOpen] = useUrlState(closed);
  return (
    <DataTable
      label="Audit entries"
      rows={entries}
      table={table}
      rowKey="_id"
      pagination={false}
      nameOf={nameFor(useWords())}
      expandable={{
        expandedRowKeys: open ? [open] : [],
        onExpand: (isOpen, { _id }) => setOpen({ open: isOpen ? _id : '' }),
        expandedRowRender: detailsOf,
      }}
    />
  );
}
