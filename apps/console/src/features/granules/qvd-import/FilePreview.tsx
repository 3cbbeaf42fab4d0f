import { DeleteOutlined } from '@ant-design/icons';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { matchColumns } from '@kaptain/contract/qvd-columns';
import type { Role } from '@kaptain/contract/vocabulary';
import { Skeleton } from 'antd';
import { formatBytes } from '../../../shared/bytes.ts';
import { IconAction } from '../../../shared/IconAction.tsx';
import { columnProblem } from './column-problem.ts';
import { FirstRows } from './FirstRows.tsx';
import type { QvdPreview } from './preview-qvd.ts';
import styles from './QvdImport.module.css';
import type { Preview } from './use-previews.ts';

interface Props {
  file: File;
  preview: Preview;
  kapsule: Kapsule;
  /** Decides whether the authors named in the file are kept. */
  role: Role;
  onRemove: () => void;
}

const format = (value: number) => value.toLocaleString('en-US');

/** Why the file can't be imported. */
const Problem = ({ text }: { text: string }) => (
  <p className={styles['problem']} role="alert">
    {text}
  </p>
);

function Facts({ preview, kapsule, role }: Pick<Props, 'kapsule' | 'role'> & { preview: QvdPreview }) {
  const { matched, ignored } = matchColumns(preview.columns, preview.tableName, kapsule, role);
  const problem = columnProblem(preview, kapsule, role);
  return (
    <>
      <dl className={styles['facts']}>
        <dt>Table</dt>
        <dd>{preview.tableName}</dd>
        <dt>Rows</dt>
        <dd>{format(preview.rowCount)}</dd>
        <dt>Matched columns</dt>
        <dd>{matched.join(', ') || 'none'}</dd>
        <dt>Ignored columns</dt>
        <dd>{ignored.join(', ') || 'none'}</dd>
      </dl>
      {problem && <Problem text={problem} />}
      <FirstRows preview={preview} matched={matched} />
    </>
  );
}

/** One chosen file and the columns that would be imported, before the upload. */
export function FilePreview({ file, preview, kapsule, role, onRemove }: Props) {
  return (
    <li className={styles['file']} aria-label={file.name}>
      <header>
        <strong title={file.name}>{file.name}</strong>
        <small>{formatBytes(file.size)}</small>
        <IconAction
          title="Leave out"
          label={`Leave out ${file.name}`}
          icon={<DeleteOutlined />}
          onClick={onRemove}
        />
      </header>
      {preview === undefined && <Skeleton active title={false} paragraph={{ rows: 2 }} />}
      {typeof preview === 'string' && <p className={styles['problem']}>{`No preview: ${preview}`}</p>}
      {typeof preview === 'object' && 'refusal' in preview && <Problem text={preview.refusal} />}
      {typeof preview === 'object' && 'columns' in preview && (
        <Facts preview={preview} kapsule={kapsule} role={role} />
      )}
    </li>
  );
}
