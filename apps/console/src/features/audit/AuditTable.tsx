import type { AuditEntry } from '@kaptain/contract/audit';
import { Button, Tag } from 'antd';
import { type Column, DataTable } from '../../shared/DataTable.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { useUrlState } from '../../shared/use-url-state.ts';
import { useWords } from '../../variants/use-variant.ts';
import type { Words } from '../../variants/variant.ts';
import styles from './Audit.module.css';
import { AuditDetails } from './AuditDetails.tsx';
import { actionName, targetKind } from './audit-words.ts';

interface Props {
  entries: readonly AuditEntry[];
  onTarget: (target: string) => void;
}

const columnsFor = (words: Words, onTarget: Props['onTarget']): Column<AuditEntry>[] => [
  { key: 'at', title: 'When', render: (_, { at }) => <TimeText value={at} /> },
  { key: 'actor', title: 'Who', render: (_, { actor }) => <strong>{actor}</strong> },
  {
    key: 'action',
    title: 'What',
    render: (_, { action, result }) => (
      <>
        {actionName(action, words)} {result === 'refused' && <Tag color="error">Refused</Tag>}
      </>
    ),
  },
  {
    key: 'target',
    title: 'Target',
    render: (_, { target, targetName }) =>
      target && (
        <>
          <span className={styles['kind']}>{targetKind(target, words)}</span>
          <Button
            type="link"
            size="small"
            aria-label={`Only entries about ${targetName ?? target}`}
            onClick={() => onTarget(target)}
          >
            {targetName ?? target.replace(/^\w+:/, '')}
          </Button>
        </>
      ),
  },
  { key: 'ip', title: 'From', render: (_, { ip }) => <code className={styles['code']}>{ip}</code> },
];

const detailsOf = (entry: AuditEntry) => <AuditDetails entry={entry} />;
const closed = { open: '' };

export function AuditTable({ entries, onTarget }: Props) {
  const words = useWords();
  const [{ open }, setOpen] = useUrlState(closed);
  return (
    <DataTable
      label="Audit entries"
      rows={entries}
      columns={columnsFor(words, onTarget)}
      rowKey="_id"
      pagination={false}
      expandable={{
        // Keeps the details within the screen when the table is wider.
        fixed: 'left',
        expandedRowKeys: open ? [open] : [],
        onExpand: (isOpen, { _id }) => setOpen({ open: isOpen ? _id : '' }),
        expandedRowRender: detailsOf,
      }}
    />
  );
}
