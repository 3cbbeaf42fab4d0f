import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import styles from './CopyText.module.css';
import { Hint } from './Hint.tsx';
import { useCopy } from './use-copy.ts';

/** An id in monospace with a button that copies it. */
export function CopyText({ text }: { text: string }) {
  const copy = useCopy();
  return (
    <span className={styles['copy']}>
      <code>{text}</code>
      <Hint title="Copy" isName>
        <Button
          type="text"
          size="small"
          icon={<CopyOutlined />}
          aria-label={`Copy ${text}`}
          onClick={() => void copy(text)}
        />
      </Hint>
    </span>
  );
}
