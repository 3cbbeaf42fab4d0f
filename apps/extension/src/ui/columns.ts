import type { NxCell } from '@nebula.js/stardust';
import type { EditedField } from '../properties.ts';

/** A column of the hypercube is read only; one of the kapsule is edited. */
export type Column =
  | { kind: 'engine'; label: string; index: number; isMeasure: boolean }
  | { kind: 'field'; label: string; field: EditedField };

interface Cube {
  qDimensionInfo: readonly { qFallbackTitle: string }[];
  qMeasureInfo: readonly { qFallbackTitle: string }[];
}

export const columnsOf = (cube: Cube, fields: readonly EditedField[]): Column[] => [
  ...[...cube.qDimensionInfo, ...cube.qMeasureInfo].map(
    ({ qFallbackTitle }, index): Column => ({
      kind: 'engine',
      label: qFallbackTitle,
      index,
      isMeasure: index >= cube.qDimensionInfo.length,
    }),
  ),
  ...fields.map((field): Column => ({ kind: 'field', label: field.name, field })),
];

/** Whether the sheet's "editable if" forbids edits of this row: an attribute expression of a dimension is 0. */
export const isLocked = (row: readonly NxCell[] | undefined): boolean =>
  row?.some(({ qAttrExps }) => qAttrExps?.qValues?.[0]?.qNum === 0) === true;

/** The key of a row: the text of its key dimension; '' for a total or a missing value, which can't be commented. */
export function keyOf(row: readonly NxCell[] | undefined, keyDimension: number): string {
  const cell = row?.[keyDimension];
  return cell === undefined || cell.qIsNull === true ? '' : (cell.qText ?? '');
}
