import type { Group } from '@kaptain/contract/groups';
import { Authority } from '@kaptain/contract/vocabulary';
import { Space, Tag } from 'antd';
import { CellText } from '../../shared/CellText.tsx';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { NamesPopover } from '../../shared/NamesPopover.tsx';
import { actionsWidth } from '../../shared/RowActions.tsx';
import { useTable } from '../../shared/use-table.ts';
import { useWords } from '../../variants/use-variant.ts';
import type { Words } from '../../variants/variant.ts';
import { GroupActions } from './GroupActions.tsx';
import { kapsuleNames, userNames } from './group-form.ts';

interface Props {
  groups: readonly Group[];
  onEdit: (group: Group) => void;
}

const columnsFor = ({ kapsule }: Words, onEdit: Props['onEdit']): Column<Group>[] => [
  {
    key: 'groupname',
    title: 'Group name',
    width: 180,
    grows: 1,
    isFixed: true,
    sorter: byText(({ groupname }) => groupname),
    render: (_, { groupname }) => (
      <CellText>
        <strong>{groupname}</strong>
      </CellText>
    ),
  },
  {
    key: 'authority',
    title: 'Permission',
    width: 200,
    sorter: byNumber(({ authority }) => Authority.options.findLastIndex((one) => authority.includes(one))),
    render: (_, { authority }) => (
      <Space size={4}>
        {authority.map((right) => (
          <Tag key={right}>{right}</Tag>
        ))}
      </Space>
    ),
  },
  {
    key: 'kapsules',
    title: kapsule.Many,
    width: 140,
    align: 'right',
    sorter: byNumber(({ kapsules }) => kapsules.length),
    render: (_, group) => (
      <NamesPopover title={`${kapsule.Many} of ${group.groupname}`} names={kapsuleNames(group)} />
    ),
  },
  {
    key: 'users',
    title: 'Users',
    width: 100,
    align: 'right',
    sorter: byNumber(({ users }) => users.length),
    render: (_, group) => <NamesPopover title={`Users of ${group.groupname}`} names={userNames(group)} />,
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    isFixed: true,
    width: actionsWidth(3),
    render: (_, group) => <GroupActions group={group} onEdit={onEdit} />,
  },
];

export function GroupsTable({ groups, onEdit }: Props) {
  const table = useTable('groups', columnsFor(useWords(), onEdit));
  return <DataTable label="Groups" rows={groups} table={table} rowKey="_id" initialSort="groupname" />;
}
