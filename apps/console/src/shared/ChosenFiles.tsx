import { DeleteOutlined } from '@ant-design/icons';
import { formatBytes } from './bytes.ts';
import styles from './FileDrop.module.css';
import { IconAction } from './IconAction.tsx';

interface Props {
  files: readonly File[];
  onRemove: (file: File) => void;
}

/** The chosen files, each with its size and a button that removes it. */
export function ChosenFiles({ files, onRemove }: Props) {
  if (files.length === 0) return null;
  return (
    <ul className={styles['files']} aria-label="Chosen files">
      {files.map((file) => (
        <li key={`${file.name}-${file.size}-${file.lastModified}`}>
          <span title={file.name}>{file.name}</span>
          <small>{formatBytes(file.size)}</small>
          <IconAction
            title="Leave out"
            label={`Leave out ${file.name}`}
            icon={<DeleteOutlined />}
            onClick={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  );
}
