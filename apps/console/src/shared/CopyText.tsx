import { CopyOutlined } from '@ant-design/icons';
import { App, Button, Tooltip } from 'antd';
import styles from './CopyText.module.css';

/** An id in monospace with a button that copies it. */
export function CopyText({ text }: { text: string }) {
  const { message } = App.useApp();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      void message.success('Copy successfully!');
    } catch {
      void message.error('Copy failed!');
    }
  };
  return (
    <span className={styles['copy']}>
      <code>{text}</code>
      <Tooltip title="Copy">
        <Button
          type="text"
          size="small"
          icon={<CopyOutlined />}
          aria-label={`Copy ${text}`}
          onClick={() => void copy()}
        />
      </Tooltip>
    </span>
  );
}
