import { shownName } from '@kaptain/contract/field-rules';
import { fieldTypeNamed, isThread } from '@kaptain/contract/fields';
import type { Granule } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { ownValue } from '@kaptain/contract/own-value';
import { Tag } from 'antd';
import { CellText } from '../../shared/CellText.tsx';
import type { Column } from '../../shared/DataTable.tsx';
import { TIME_WIDTH, TimeCell } from '../../shared/TimeText.tsx';
import { dataOf } from './granule-data.ts';
import { userIdOf } from './user-id-of.ts';
import { ValueCell } from './ValueCell.tsx';

type Field = Kapsule['fields'][number];

const SHOWN_FIELDS = 2;

const fieldColumn = (field: Field, index: number): Column<Granule> => ({
  key: `field:${field.name}`,
  title: shownName(field),
  // The first field has the most room: it is the comment in most kapsules. A thread shows its last comment.
  ...(index === 0 || isThread(field.type) ? { width: 220, grows: 3 } : { width: 120, grows: 1 }),
  isExtra: index >= SHOWN_FIELDS,
  sorter: true,
  align: fieldTypeNamed(field.type).enteredAs === 'decimal' ? 'right' : 'left',
  render: (_, granule) => <ValueCell field={field} value={ownValue(dataOf(granule), field.name)} />,
});

const userCell = (user: string | null | undefined) =>
  user ? <CellText full={user}>{userIdOf(user)}</CellText> : '–';

const reloadedColumn: Column<Granule> = {
  key: 'reloaded',
  title: 'Reloaded',
  width: 128,
  leaveOut: 2,
  sorter: true,
  render: (_, { reloaded }) => (reloaded ? <Tag color="success">Reloaded</Tag> : <Tag>Not Reloaded</Tag>),
};
const deletedColumns: Column<Granule>[] = [
  {
    key: 'deletedAt',
    title: 'Deleted',
    width: TIME_WIDTH,
    render: (_, { deletedAt }) => <TimeCell value={deletedAt} />,
  },
  {
    key: 'deletedBy',
    title: 'Deleted by',
    width: 120,
    leaveOut: 2,
    render: (_, { deletedBy }) => userCell(deletedBy),
  },
];

/** Key, the fields, User, Reloaded, Created and Updated; of deleted granules also who deleted them and when. */
export const columnsFor = (kapsule: Kapsule, isDeletedView: boolean): Column<Granule>[] => [
  {
    key: 'key',
    title: 'Key',
    width: 130,
    grows: 1,
    isFixed: true,
    sorter: true,
    render: (_, { key }) => (
      <CellText>
        <strong>{key}</strong>
      </CellText>
    ),
  },
  ...kapsule.fields.map(fieldColumn),
  {
    key: 'user',
    title: 'User',
    width: 120,
    leaveOut: 1,
    sorter: true,
    render: (_, { user }) => userCell(user),
  },
  ...(isDeletedView ? deletedColumns : [reloadedColumn]),
  {
    key: 'createdAt',
    title: 'Created',
    width: TIME_WIDTH,
    leaveOut: 3,
    sorter: true,
    render: (_, { createdAt }) => <TimeCell value={createdAt} />,
  },
  {
    key: 'updatedAt',
    title: 'Updated',
    width: TIME_WIDTH,
    sorter: true,
    render: (_, { updatedAt }) => <TimeCell value={updatedAt} />,
  },
];
