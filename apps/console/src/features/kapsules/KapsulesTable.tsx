import type { Kapsule } from '@kaptain/contract/kapsules';
import { limits } from '@kaptain/contract/limits';
import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { Tag } from 'antd';
import { CutText } from '../../shared/CutText.tsx';
import { byNumber, byText, type Column, DataTable } from '../../shared/DataTable.tsx';
import { PageLink } from '../../shared/PageLink.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import { useWords } from '../../variants/use-variant.ts';
import type { Words } from '../../variants/variant.ts';
import { FieldsCell } from './FieldsCell.tsx';
import { GranulesCell } from './GranulesCell.tsx';

const columnsFor = (words: Words): Column<Kapsule>[] => [
  {
    key: 'name',
    title: 'Name',
    fixed: 'left',
    width: 220,
    sorter: byText(({ name }) => name),
    render: (_, { _id, name }) => (
      <strong>
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
    render: (_, { database }) => <Tag>{database === DEFAULT_DATABASE ? words.ownDatabase : database}</Tag>,
  },
  {
    key: 'owner',
    title: 'Owner',
    sorter: byText(({ owner }) => owner),
    // Spec 9: the owner is cut at 18 characters.
    render: (_, { owner }) => <CutText text={owner} at={limits.ownerShownCharacters} />,
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
];

export function KapsulesTable({ kapsules }: { kapsules: readonly Kapsule[] }) {
  const words = useWords();
  return (
    <DataTable
      label={words.kapsule.Many}
      rows={kapsules}
      columns={columnsFor(words)}
      rowKey="_id"
      initialSort="name"
    />
  );
}
