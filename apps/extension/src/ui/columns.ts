import { shownName } from '@kaptain/contract/field-rules';
import type { NxCell, NxHyperCube } from '@nebula.js/stardust';
import type { SheetField } from '../model/sheet-fields.ts';

/** A column of the hypercube is read only; one of the kapsule is edited. */
export type Column =
  | { kind: 'engine'; label: string; index: number; isMeasure: boolean; isKey: boolean }
  | { kind: 'field'; label: string; field: SheetField };

type Cube = Pick<NxHyperCube, 'qDimensionInfo' | 'qMeasureInfo' | 'qColumnOrder'>;

/** The code of a column whose calculation condition is not fulfilled: the rows have no cell for it. */
const HIDDEN = 7005;

/** The columns that the rows of a hypercube have, in their order: each by its index among the dimensions and measures. */
function shownColumns({ qDimensionInfo, qMeasureInfo, qColumnOrder = [] }: Cube) {
  const all = [...qDimensionInfo, ...qMeasureInfo].map((info, defined) => ({ info, defined }));
  const isOrdered = qColumnOrder.length === all.length;
  const ordered = isOrdered ? qColumnOrder.flatMap((defined) => all[defined] ?? []) : all;
  return ordered.filter(({ info }) => info.qError?.qErrorCode !== HIDDEN);
}

/** The key is at this index of a row. */
export const columnsOf = (cube: Cube, keyIndex: number): Column[] =>
  shownColumns(cube).map(({ info, defined }, index) => ({
    kind: 'engine',
    label: info.qFallbackTitle,
    index,
    isMeasure: defined >= cube.qDimensionInfo.length,
    isKey: index === keyIndex,
  }));

/** The index of the key in a row; -1 while its column is hidden. */
export const keyIndexOf = (cube: Cube, keyDimension: number): number =>
  shownColumns(cube).findIndex(({ defined }) => defined === keyDimension);

export const fieldColumns = (fields: readonly SheetField[]): Column[] =>
  fields.map((field) => ({ kind: 'field', label: shownName(field), field }));

/** Whether the sheet's "editable if" forbids edits of this row: an attribute expression of a dimension is 0. */
export const isLocked = (row: readonly NxCell[] | undefined): boolean =>
  row?.some(({ qAttrExps }) => qAttrExps?.qValues?.[0]?.qNum === 0) === true;

/** Of the row that stands for all values beyond a limit of the dimension, and of totals. */
const isNoValue = ({ qIsNull, qIsOtherCell, qElemNumber = 0 }: NxCell): boolean =>
  qIsNull === true || qIsOtherCell === true || qElemNumber < 0;

/** The key of a row: the text of its key dimension; '' where that is no value, which can't be commented. */
export function keyOf(row: readonly NxCell[] | undefined, keyIndex: number): string {
  const cell = row?.[keyIndex];
  return cell === undefined || isNoValue(cell) ? '' : (cell.qText ?? '');
}
