import { DeleteOutlined } from '@ant-design/icons';
import type { ApiKey } from '@kaptain/contract/api-keys';
import { Tag } from 'antd';
import { useRemoveApiKey } from '../../api/api-keys.ts';
import { CellText } from '../../shared/CellText.tsx';
import { byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { IconAction } from '../../shared/IconAction.tsx';
import { actionsWidth, RowActions } from '../../shared/RowActions.tsx';
import { TIME_WIDTH, TimeCell } from '../../shared/TimeText.tsx';
import { useAuditLink } from '../../shared/use-audit-link.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import { useTable } from '../../shared/use-table.ts';
import { useWords } from '../../variants/use-variant.ts';
import type { Words } from '../../variants/variant.ts';
import styles from './ApiKeys.module.css';
import { isExpired } from './expiry.ts';
import { mayOf } from './key-authority.ts';

const columnsFor = (words: Words): Column<ApiKey>[] => [
  {
    key: 'name',
    title: 'Name',
    width: 150,
    grows: 1,
    isFixed: true,
    sorter: byText(({ name }) => name),
    render: (_, { name }) => (
      <CellText>
        <strong>{name}</strong>
      </CellText>
    ),
  },
  {
    key: 'apikey',
    title: 'API key',
    width: 150,
    leaveOut: 1,
    render: (_, { apikey }) => <code className={styles['masked']}>{apikey}</code>,
  },
  {
    key: 'userName',
    title: 'Creator',
    width: 110,
    grows: 1,
    leaveOut: 2,
    sorter: byText(({ userName }) => userName),
    render: (_, { userName }) => <CellText>{userName ?? '–'}</CellText>,
  },
  {
    key: 'createdAt',
    title: 'Created',
    width: TIME_WIDTH,
    leaveOut: 3,
    sorter: byText(({ createdAt }) => createdAt),
    render: (_, { createdAt }) => <TimeCell value={createdAt} />,
  },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    width: TIME_WIDTH,
    sorter: byText(({ lastUsedAt }) => lastUsedAt),
    render: (_, { lastUsedAt }) => (lastUsedAt ? <TimeCell value={lastUsedAt} /> : 'Never'),
  },
  {
    key: 'expiresAt',
    title: 'Expires',
    width: TIME_WIDTH,
    leaveOut: 4,
    sorter: byText(({ expiresAt }) => expiresAt ?? '9999'),
    render: (_, { expiresAt }) => {
      if (!expiresAt) return 'Never';
      return isExpired(expiresAt, Date.now()) ? (
        <Tag color="error" title={expiresAt}>
          Expired
        </Tag>
      ) : (
        <TimeCell value={expiresAt} />
      );
    },
  },
  {
    key: 'kapsules',
    title: words.kapsule.Many,
    width: 130,
    grows: 1,
    leaveOut: 5,
    render: (_, { kapsules }) => (
      <CellText>{kapsules ? kapsules.map(({ name }) => name).join(', ') : 'All'}</CellText>
    ),
  },
  {
    key: 'authority',
    title: 'May',
    width: 100,
    leaveOut: 6,
    render: (_, key) => mayOf(key),
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    isFixed: true,
    width: actionsWidth(2),
    render: (_, apiKey) => <ApiKeyActions apiKey={apiKey} />,
  },
];

function ApiKeyActions({ apiKey: { _id, name, apikey } }: { apiKey: ApiKey }) {
  const confirm = useConfirm();
  const remove = useRemoveApiKey();
  const auditLink = useAuditLink(`apiKey:${_id}`, name);
  return (
    <RowActions of={name}>
      {auditLink}
      <IconAction
        title="Delete"
        label={`Delete ${name}`}
        icon={<DeleteOutlined />}
        danger
        onClick={() =>
          confirm({
            title: `Are you sure to delete ${name}?`,
            // Two keys may have one name.
            content: `Programs that use the key ${apikey} are refused at once.`,
            done: `${name} is deleted.`,
            run: () => remove.mutateAsync(_id),
          })
        }
      />
    </RowActions>
  );
}

export function ApiKeysTable({ keys }: { keys: readonly ApiKey[] }) {
  const table = useTable('api-keys', columnsFor(useWords()));
  return <DataTable label="API keys" rows={keys} table={table} rowKey="_id" initialSort="-createdAt" />;
}
