import type { Kapsule } from '@kaptain/contract/kapsules';
import type { Role } from '@kaptain/contract/vocabulary';
import { CellText } from '../../shared/CellText.tsx';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { PageLink } from '../../shared/PageLink.tsx';
import { actionsWidth } from '../../shared/RowActions.tsx';
import { TIME_WIDTH, TimeCell } from '../../shared/TimeText.tsx';
import type { TableLayout } from '../../shared/use-table.ts';
import { useWords } from '../../variants/use-variant.ts';
import type { Words } from '../../variants/variant.ts';
import { DatabaseCell } from './DatabaseCell.tsx';
import { FieldsCell } from './FieldsCell.tsx';
import { GranulesCell } from './GranulesCell.tsx';
import { KapsuleActions } from './KapsuleActions.tsx';
import { NotReloadedCell } from './NotReloadedCell.tsx';
import { OwnerCell } from './OwnerCell.tsx';

interface Actions {
  role: Role;
  onCopy: ((whole: Kapsule) => void) | undefined;
  onReplace: (kapsule: Kapsule) => void;
  onOwner: (kapsule: Kapsule) => void;
  onDelete: (kapsule: Kapsule) => void;
}

interface Props {
  kapsules: readonly Kapsule[];
  table: TableLayout<Kapsule>;
  selected: readonly string[];
  onSelect: (ids: string[]) => void;
}

export const columnsFor = (
  words: Words,
  { role, onCopy, onReplace, onOwner, onDelete }: Actions,
): Column<Kapsule>[] => [
  {
    key: 'name',
    title: 'Name',
    fixed: 'left',
    isFixed: true,
    width: 146,
    grows: 3,
    sorter: byText(({ name }) => name),
    render: (_, { _id, name }) => (
      <CellText>
        <strong>
          <PageLink to={`/data/kapsules/${encodeURIComponent(_id)}`}>{name}</PageLink>
        </strong>
      </CellText>
    ),
  },
  {
    key: 'table',
    title: 'Table',
    width: 100,
    grows: 2,
    leaveOut: 3,
    sorter: byText(({ table }) => table),
    render: (_, { table }) => <CellText>{table}</CellText>,
  },
  {
    key: 'keyField',
    title: 'Key field',
    width: 120,
    grows: 1,
    leaveOut: 7,
    sorter: byText(({ keyField }) => keyField),
    render: (_, { keyField }) => <CellText>{keyField}</CellText>,
  },
  {
    key: 'database',
    title: words.database.One,
    width: 122,
    leaveOut: 4,
    sorter: byText(({ database }) => database),
    render: (_, kapsule) => <DatabaseCell kapsule={kapsule} />,
  },
  {
    key: 'owner',
    title: 'Owner',
    width: 160,
    leaveOut: 1,
    sorter: byText(({ owner }) => owner),
    render: (_, kapsule) => <OwnerCell kapsule={kapsule} role={role} onChange={onOwner} />,
  },
  {
    key: 'fields',
    title: 'Fields',
    width: 84,
    leaveOut: 6,
    align: 'right',
    sorter: byNumber(({ fields, fieldCount }) => fieldCount ?? fields.length),
    render: (_, kapsule) => <FieldsCell kapsule={kapsule} />,
  },
  {
    key: 'granules',
    title: words.granule.Many,
    width: 116,
    align: 'right',
    sorter: byNumber(({ granules }) => granules?.total),
    render: (_, { granules }) => <GranulesCell counts={granules} />,
  },
  {
    key: 'notReloaded',
    title: 'Not reloaded',
    width: 128,
    align: 'right',
    leaveOut: 5,
    sorter: byNumber(({ granules }) => granules?.notReloaded),
    render: (_, { granules }) => <NotReloadedCell counts={granules} />,
  },
  {
    key: 'updatedAt',
    title: 'Updated',
    width: TIME_WIDTH,
    leaveOut: 2,
    sorter: byText(({ updatedAt }) => updatedAt),
    render: (_, { updatedAt }) => <TimeCell value={updatedAt} />,
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    isFixed: true,
    width: actionsWidth(4),
    render: (_, kapsule) => (
      <KapsuleActions
        kapsule={kapsule}
        role={role}
        onCopy={onCopy}
        onReplace={onReplace}
        onDelete={onDelete}
      />
    ),
  },
];

export function KapsulesTable({ kapsules, table, selected, onSelect }: Props) {
  const { kapsule } = useWords();
  return (
    <DataTable
      label={kapsule.Many}
      rows={kapsules}
      table={table}
      rowKey="_id"
      initialSort="name"
      rowSelection={{
        fixed: 'left',
        selectedRowKeys: [...selected],
        onChange: (keys) => onSelect(keys.map(String)),
        getTitleCheckboxProps: () => ({ 'aria-label': 'Select all of this page' }),
        getCheckboxProps: ({ name }) => ({ 'aria-label': `Select ${name}` }),
      }}
    />
  );
}
