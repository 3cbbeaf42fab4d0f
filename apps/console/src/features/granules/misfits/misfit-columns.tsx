import { EditOutlined } from '@ant-design/icons';
import { shownName } from '@kaptain/contract/field-rules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { CellText } from '../../../shared/CellText.tsx';
import type { Column } from '../../../shared/DataTable.tsx';
import { byText } from '../../../shared/DataTable.tsx';
import { ruleTitle } from '../../../shared/fields/rule-title.ts';
import { IconAction } from '../../../shared/IconAction.tsx';
import { actionsWidth, RowActions } from '../../../shared/RowActions.tsx';
import type { MisfitRow } from './misfit-rows.ts';

const shown = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

/** Key, field, rule, value and reason; the edit where this user may write. */
export function misfitColumns(
  kapsule: Pick<Kapsule, 'fields'>,
  onEdit: ((row: MisfitRow) => void) | undefined,
): Column<MisfitRow>[] {
  const labels = new Map(kapsule.fields.map((field) => [field.name, shownName(field)]));
  const labelOf = ({ field }: MisfitRow) => labels.get(field) ?? field;
  return [
    {
      key: 'key',
      title: 'Key',
      width: 120,
      grows: 1,
      isFixed: true,
      sorter: byText(({ key }) => key),
      render: (_, { key }) => (
        <CellText>
          <strong>{key}</strong>
        </CellText>
      ),
    },
    {
      key: 'field',
      title: 'Field',
      width: 120,
      grows: 1,
      leaveOut: 2,
      sorter: byText(labelOf),
      render: (_, row) => <CellText>{labelOf(row)}</CellText>,
    },
    {
      key: 'rule',
      title: 'Rule',
      width: 110,
      leaveOut: 3,
      sorter: byText(({ rule }) => ruleTitle(rule)),
      render: (_, { rule }) => ruleTitle(rule),
    },
    {
      key: 'value',
      title: 'Value',
      width: 120,
      grows: 1,
      leaveOut: 1,
      sorter: byText(({ value }) => shown(value)),
      render: (_, { value }) => <CellText>{shown(value)}</CellText>,
    },
    {
      key: 'message',
      title: 'Reason',
      width: 200,
      grows: 3,
      render: (_, { message }) => <CellText>{message}</CellText>,
    },
    ...(onEdit
      ? [
          {
            key: 'actions',
            title: '',
            width: actionsWidth(1),
            isFixed: true,
            fixed: 'right' as const,
            render: (_: unknown, row: MisfitRow) => (
              <RowActions of={row.key}>
                <IconAction
                  title="Edit"
                  label={`Edit ${labelOf(row)} of ${row.key}`}
                  icon={<EditOutlined />}
                  onClick={() => onEdit(row)}
                />
              </RowActions>
            ),
          },
        ]
      : []),
  ];
}
