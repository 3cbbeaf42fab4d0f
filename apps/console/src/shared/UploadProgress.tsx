import { Progress } from 'antd';
import { formatBytes } from './bytes.ts';
import styles from './UploadProgress.module.css';

interface Props {
  files: readonly File[];
  /** The bytes sent so far, of all files in their order. */
  sent: number;
}

/** One progress bar per file of an upload that sends its files one after the other. */
export function UploadProgress({ files, sent }: Props) {
  const sentOf = (index: number) => {
    const before = files.slice(0, index).reduce((sum, { size }) => sum + size, 0);
    return Math.max(0, sent - before);
  };
  return (
    <ul className={styles['files']} aria-label="Upload">
      {files.map((file, index) => {
        const done = Math.min(file.size, sentOf(index));
        const percent = file.size === 0 ? 100 : Math.floor((done / file.size) * 100);
        return (
          <li key={`${file.name}-${file.size}-${file.lastModified}`}>
            <div>
              <span title={file.name}>{file.name}</span>
              <small>{`${formatBytes(done)} of ${formatBytes(file.size)}`}</small>
            </div>
            <Progress percent={percent} size="small" aria-label={`Upload of ${file.name}`} />
          </li>
        );
      })}
    </ul>
  );
}
