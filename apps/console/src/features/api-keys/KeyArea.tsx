import { Input } from 'antd';
import type { TextAreaProps, TextAreaRef } from 'antd/es/input/TextArea';
import { useLayoutEffect, useRef } from 'react';
import styles from './ApiKeys.module.css';

/** Spec 9: 3 to 6 rows, as the key needs them. Ant Design's own growing writes styles the page policy forbids. */
export function KeyArea(field: Pick<TextAreaProps, 'id' | 'value' | 'onChange'>) {
  const area = useRef<TextAreaRef>(null);
  useLayoutEffect(() => {
    const element = area.current?.resizableTextArea?.textArea;
    if (!element) return;
    element.rows = 3;
    while (element.rows < 6 && element.scrollHeight > element.clientHeight) element.rows += 1;
  });
  return (
    <Input.TextArea
      {...field}
      ref={area}
      rows={3}
      style={{ resize: 'none' }}
      className={styles['key'] ?? ''}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
