import type { Group } from '@kaptain/contract/groups';
import { Space, Tag } from 'antd';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { NamesPopover } from '../../shared/NamesPopover.tsx';
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
    sorter: byText(({ groupname }) => groupname),
    render: (_, { groupname }) => <strong>{groupname}</strong>,
  },
  {
    key: 'authority',
    title: 'Permission',
    sorter: byNumber(({ authority }) => authority.length),
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
    align: 'right',
    sorter: byNumber(({ kapsules }) => kapsules.length),
    render: (_, group) => (
      <NamesPopover title={`${kapsule.Many} of ${group.groupname}`} names={kapsuleNames(group)} />
    ),
  },
  {
    key: 'users',
    title: 'Users',
    align: 'right',
    sorter: byNumber(({ users }) => users.length),
    render: (_, group) => <NamesPopover title={`Users of ${group.groupname}`} names={userNames(group)} />,
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    width: 1,
    render: (_, group) => <GroupActions group={group} onEdit={onEdit} />,
  },
];

export function GroupsTable({ groups, onEdit }: Props) {
  return (
    <DataTable
      label="Groups"
      rows={groups}
      columns={columnsFor(useWords(), onEdit)}
      rowKey="_id"
      initialSort="groupname"
    />
  );
}
