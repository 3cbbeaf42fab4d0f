import { DownloadOutlined, EyeOutlined } from '@ant-design/icons';
import { Card } from 'antd';
import type { LogFile } from '../../api/system-logs.ts';
import { formatBytes } from '../../shared/bytes.ts';
import { IconAction } from '../../shared/IconAction.tsx';
import { RowActions } from '../../shared/RowActions.tsx';
import { TimeText } from '../../shared/TimeText.tsx';
import styles from './SystemLogs.module.css';

interface Props {
  title: string;
  /** The content of these files. */
  about: string;
  files: readonly LogFile[];
  onView: (file: LogFile) => void;
  onDownload: (file: LogFile) => void;
}

export function LogFilesCard({ title, about, files, onView, onDownload }: Props) {
  return (
    <Card title={<h2>{title}</h2>} className={styles['card'] ?? ''}>
      <p className={styles['about']}>{about}</p>
      {files.length === 0 && <p className={styles['none']}>No files yet</p>}
      <ul className={styles['files']}>
        {files.map((file) => (
          <li key={file.fileName}>
            <div>
              <code>{file.fileName}</code>
              {file.bytes !== undefined && (
                <p>
                  {formatBytes(file.bytes)}, <TimeText value={file.updatedAt} />
                </p>
              )}
            </div>
            <RowActions of={file.fileName}>
              <IconAction
                title="View"
                label={`View ${file.fileName}`}
                icon={<EyeOutlined />}
                onClick={() => onView(file)}
              />
              <IconAction
                title="Download"
                label={`Download ${file.fileName}`}
                icon={<DownloadOutlined />}
                onClick={() => onDownload(file)}
              />
            </RowActions>
          </li>
        ))}
      </ul>
    </Card>
  );
}
