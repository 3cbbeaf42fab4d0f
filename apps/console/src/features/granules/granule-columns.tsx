import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { Tag } from 'antd';
import type { Column } from '../../shared/DataTable.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import styles from './Granules.module.css';
import { UserText } from './UserText.tsx';
import { valueText } from './value-text.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Field = Kapsule['fields'][number];

const fieldColumn = ({ name, type }: Field, isFirst: boolean): Column<Granule> => ({
  key: `field:${name}`,
  title: name,
  align: type === 'number' ? 'right' : 'left',
  render: (_, { data }) => {
    const text = valueText(isRecord(data) ? data[name] : undefined, type);
    return (
      // The first field has the most room: it is the comment in most kapsules.
      <span className={styles[isFirst ? 'long' : 'cut']} title={text}>
        {text}
      </span>
    );
  },
});

const reloadedColumn: Column<Granule> = {
  key: 'reloaded',
  title: 'Reloaded',
  sorter: true,
  render: (_, { reloaded }) => (reloaded ? <Tag color="success">Reloaded</Tag> : <Tag>Not Reloaded</Tag>),
};
const deletedColumns: Column<Granule>[] = [
  { key: 'deletedAt', title: 'Deleted', render: (_, { deletedAt }) => <TimeText value={deletedAt} /> },
  {
    key: 'deletedBy',
    title: 'Deleted by',
    render: (_, { deletedBy }) => <UserText user={deletedBy} />,
  },
];

/** Key, the chosen fields, User, Reloaded, Created and Updated; of deleted granules also who deleted them and when. */
export const columnsFor = (
  kapsule: Kapsule,
  chosen: readonly string[],
  isDeletedView: boolean,
): Column<Granule>[] => [
  {
    key: 'key',
    title: 'Key',
    sorter: true,
    render: (_, { key }) => (
      <strong className={styles['cut']} title={key ?? ''}>
        {key}
      </strong>
    ),
  },
  ...kapsule.fields
    .filter(({ name }) => chosen.includes(name))
    .map((field, index) => fieldColumn(field, index === 0)),
  {
    key: 'user',
    title: 'User',
    sorter: true,
    render: (_, { user }) => <UserText user={user} />,
  },
  ...(isDeletedView ? deletedColumns : [reloadedColumn]),
  {
    key: 'createdAt',
    title: 'Created',
    sorter: true,
    render: (_, { createdAt }) => <TimeText value={createdAt} />,
  },
  {
    key: 'updatedAt',
    title: 'Updated',
    sorter: true,
    render: (_, { updatedAt }) => <TimeText value={updatedAt} />,
  },
];
