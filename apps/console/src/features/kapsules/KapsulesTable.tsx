import type { Kapsule } from '@kaptain/contract/kapsules';
import type { Role } from '@kaptain/contract/vocabulary';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { PageLink } from '../../shared/PageLink.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { useWords } from '../../variants/use-variant.ts';
import type { Words } from '../../variants/variant.ts';
import { DatabaseCell } from './DatabaseCell.tsx';
import { FieldsCell } from './FieldsCell.tsx';
import { GranulesCell } from './GranulesCell.tsx';
import { KapsuleActions } from './KapsuleActions.tsx';
import styles from './KapsulesTable.module.css';
import { OwnerCell } from './OwnerCell.tsx';

interface Props {
  kapsules: readonly Kapsule[];
  role: Role;
  selected: readonly string[];
  onSelect: (ids: string[]) => void;
  onReplace: (kapsule: Kapsule) => void;
  onOwner: (kapsule: Kapsule) => void;
  onDelete: (kapsule: Kapsule) => void;
}

const columnsFor = (words: Words, { role, onReplace, onOwner, onDelete }: Props): Column<Kapsule>[] => [
  {
    key: 'name',
    title: 'Name',
    fixed: 'left',
    sorter: byText(({ name }) => name),
    render: (_, { _id, name }) => (
      <strong className={styles['name']} title={name}>
        <PageLink to={`/data/kapsules/${encodeURIComponent(_id)}`}>{name}</PageLink>
      </strong>
    ),
  },
  { key: 'table', title: 'Table', dataIndex: 'table', sorter: byText(({ table }) => table) },
  { key: 'keyField', title: 'Key field', dataIndex: 'keyField', sorter: byText(({ keyField }) => keyField) },
  {
    key: 'database',
    title: words.database.One,
    sorter: byText(({ database }) => database),
    render: (_, kapsule) => <DatabaseCell kapsule={kapsule} />,
  },
  {
    key: 'owner',
    title: 'Owner',
    sorter: byText(({ owner }) => owner),
    render: (_, kapsule) => <OwnerCell kapsule={kapsule} role={role} onChange={onOwner} />,
  },
  {
    key: 'fields',
    title: 'Fields',
    align: 'right',
    sorter: byNumber(({ fields }) => fields.length),
    render: (_, kapsule) => <FieldsCell kapsule={kapsule} />,
  },
  {
    key: 'granules',
    title: words.granule.Many,
    align: 'right',
    sorter: byNumber(({ granules }) => granules?.total),
    render: (_, { granules }) => <GranulesCell counts={granules} />,
  },
  {
    key: 'updatedAt',
    title: 'Updated',
    sorter: byText(({ updatedAt }) => updatedAt),
    render: (_, { updatedAt }) => <TimeText value={updatedAt} />,
  },
  {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    fixed: 'right',
    width: 1,
    render: (_, kapsule) => (
      <KapsuleActions kapsule={kapsule} role={role} onReplace={onReplace} onDelete={onDelete} />
    ),
  },
];

export function KapsulesTable(props: Props) {
  const words = useWords();
  return (
    <DataTable
      label={words.kapsule.Many}
      rows={props.kapsules}
      columns={columnsFor(words, props)}
      rowKey="_id"
      initialSort="name"
      rowSelection={{
        fixed: 'left',
        selectedRowKeys: [...props.selected],
        onChange: (keys) => props.onSelect(keys.map(String)),
        getTitleCheckboxProps: () => ({ 'aria-label': 'Select all of this page' }),
        getCheckboxProps: ({ name }) => ({ 'aria-label': `Select ${name}` }),
      }}
    />
  );
}
