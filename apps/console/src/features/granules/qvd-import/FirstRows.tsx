import { SampleRows } from '../../../shared/SampleRows.tsx';
import type { QvdPreview } from './preview-qvd.ts';

interface Props {
  preview: QvdPreview;
  /** The columns that are taken, in the order to show. */
  matched: readonly string[];
}

/** The first rows of what would be stored. */
export function FirstRows({ preview: { columns, firstRows }, matched }: Props) {
  const columnIndexes = matched.map((name) => columns.indexOf(name));
  return (
    <SampleRows columns={matched} rows={firstRows.map((row) => columnIndexes.map((index) => row[index]))} />
  );
}
