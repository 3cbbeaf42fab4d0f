import { DownloadOutlined } from '@ant-design/icons';
import { Button, Drawer } from 'antd';
import type { LogFile } from '../../api/system-logs.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { LogView } from './LogView.tsx';
import styles from './SystemLogs.module.css';

interface Props {
  dialog: Dialog<LogFile>;
  file: LogFile;
  onDownload: (file: LogFile) => void;
}

// Spec 9: the log view drawer is 1024 wide.
const WIDTH = 1024;

export function LogDrawer({ dialog, file, onDownload }: Props) {
  return (
    <Drawer
      open={dialog.isOpen}
      onClose={dialog.close}
      afterOpenChange={(isOpen) => {
        if (!isOpen) dialog.forget();
      }}
      placement="right"
      size={WIDTH}
      className={styles['drawer'] ?? ''}
      title={file.fileName}
      extra={
        <Button icon={<DownloadOutlined aria-hidden />} onClick={() => onDownload(file)}>
          Download
        </Button>
      }
    >
      <LogView key={`${file.kind} ${file.fileName}`} file={file} />
    </Drawer>
  );
}
