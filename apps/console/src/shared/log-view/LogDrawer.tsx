import { DownloadOutlined } from '@ant-design/icons';
import { Button, Drawer } from 'antd';
import type { ReactNode } from 'react';
import type { Dialog } from '../use-dialog.ts';
import styles from './LogDrawer.module.css';

interface Props {
  dialog: Pick<Dialog<unknown>, 'isOpen' | 'close' | 'forget'>;
  title: string;
  /** Absent when there is no file. */
  onDownload: (() => void) | undefined;
  children: ReactNode;
}

// Spec 9: the log view drawer is 1024 wide.
const WIDTH = 1024;

/** A log in a drawer, with a button that downloads its file. */
export function LogDrawer({ dialog, title, onDownload, children }: Props) {
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
      title={title}
      extra={
        onDownload && (
          <Button icon={<DownloadOutlined aria-hidden />} onClick={onDownload}>
            Download
          </Button>
        )
      }
    >
      <div className={styles['view']}>{children}</div>
    </Drawer>
  );
}
