import { DeleteOutlined } from '@ant-design/icons';
import type { ApiKey } from '@kaptain/contract/api-keys';
import { useRemoveApiKey } from '../../api/api-keys.ts';
import { AuditLink } from '../../shared/AuditLink.tsx';
import { byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { IconAction, RowActions } from '../../shared/IconAction.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { useConfirm } from '../../shared/use-confirm.tsx';
import styles from './ApiKeys.module.css';

const columns: Column<ApiKey>[] = [
  {
    key: 'name',
    title: 'Name',
    sorter: byText(({ name }) => name),
    render: (_, { name }) => <strong>{name}</strong>,
  },
  {
    key: 'apikey',
    title: 'API key',
    render: (_, { apikey }) => <code className={styles['masked']}>{apikey}</code>,
  },
  {
    key: 'userName',
    title: 'Creator',
    sorter: byText(({ userName }) => userName),
    render: (_, { userName }) => userName ?? '–',
  },
  {
    key: 'createdAt',
    title: 'Created',
    sorter: byText(({ createdAt }) => createdAt),
    render: (_, { createdAt }) => <TimeText value={createdAt} />,
  },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    sorter: byText(({ lastUsedAt }) => lastUsedAt),
    render: (_, { lastUsedAt }) => (lastUsedAt ? <TimeText value={lastUsedAt} /> : 'Never'),
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    width: 1,
    render: (_, apiKey) => <ApiKeyActions apiKey={apiKey} />,
  },
];

function ApiKeyActions({ apiKey: { _id, name } }: { apiKey: ApiKey }) {
  const confirm = useConfirm();
  const remove = useRemoveApiKey();
  return (
    <RowActions>
      <AuditLink target={`apiKey:${_id}`} name={name} />
      <IconAction
        title="Delete"
        label={`Delete ${name}`}
        icon={<DeleteOutlined />}
        danger
        onClick={() =>
          confirm({
            title: `Are you sure to delete ${name}?`,
            content: 'Programs that use this key are refused at once.',
            done: `${name} is deleted.`,
            run: () => remove.mutateAsync(_id),
          })
        }
      />
    </RowActions>
  );
}

export function ApiKeysTable({ keys }: { keys: readonly ApiKey[] }) {
  return <DataTable label="API keys" rows={keys} columns={columns} rowKey="_id" initialSort="-createdAt" />;
}
