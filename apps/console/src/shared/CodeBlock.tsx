import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import styles from './CodeBlock.module.css';
import { useCopy } from './use-copy.ts';

interface Props {
  label: string;
  text: string;
  /** The same text with colours, if any. */
  children?: ReactNode;
}

/** Preformatted text with a copy button. */
export function CodeBlock({ label, text, children = text }: Props) {
  const copy = useCopy();
  return (
    <figure className={styles['block']} aria-label={label}>
      {/* biome-ignore lint: the text scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
      <Button
        className={styles['copy'] ?? ''}
        size="small"
        icon={<CopyOutlined aria-hidden="true" />}
        onClick={() => void copy(text)}
      >
        Copy
      </Button>
    </figure>
  );
}
