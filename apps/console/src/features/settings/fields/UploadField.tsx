import { CheckCircleFilled, ExclamationCircleFilled, UploadOutlined } from '@ant-design/icons';
import { App, Button, Upload } from 'antd';
import { useId } from 'react';
import { messageOf } from '../../../shared/message-of.ts';
import styles from '../Settings.module.css';

interface Props {
  id?: string;
  label: string;
  ending: '.pem' | '.pfx';
  /** The name of the present file, if any. */
  fileName: string;
  /** Whether the service has the file; undefined while unknown. */
  exists: boolean | undefined;
  isBusy: boolean;
  /** Uploads the file; resolves when the service has stored it. */
  upload: (file: File) => Promise<void>;
}

/** Spec 5: one file of one kind. Spec 4: a check mark and the name when the service has it. */
export function UploadField({ id, label, ending, fileName, exists, isBusy, upload }: Props) {
  const { message } = App.useApp();
  const state = useId();
  const action = `${exists ? 'Replace' : 'Upload'} ${ending}`;

  const send = async (file: File) => {
    if (!file.name.toLowerCase().endsWith(ending)) {
      void message.error(`Only ${ending} files are accepted: ${file.name}`);
      return;
    }
    try {
      await upload(file);
      void message.success('Uploaded successfully!');
    } catch (error) {
      void message.error(messageOf(error));
    }
  };

  return (
    <div className={styles['upload']}>
      <Upload
        accept={ending}
        maxCount={1}
        showUploadList={false}
        disabled={isBusy}
        beforeUpload={(file) => {
          void send(file);
          return false;
        }}
      >
        <Button
          {...(id !== undefined && { id })}
          icon={<UploadOutlined aria-hidden />}
          loading={isBusy}
          aria-label={`${action}: ${label}`}
          aria-describedby={state}
        >
          {action}
        </Button>
      </Upload>
      <span id={state} className={styles['file']} data-exists={exists} title={fileName}>
        {exists === true && (
          <>
            <CheckCircleFilled aria-label="Uploaded" role="img" />
            <span>{fileName}</span>
          </>
        )}
        {exists === false && fileName !== '' && (
          <>
            <ExclamationCircleFilled aria-hidden />
            <span>{`${fileName} is missing on the service`}</span>
          </>
        )}
        {exists === false && fileName === '' && <span>No file yet</span>}
      </span>
    </div>
  );
}
