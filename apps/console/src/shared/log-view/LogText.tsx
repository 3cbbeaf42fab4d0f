import { type ReactNode, useEffect } from 'react';
import styles from './LogView.module.css';
import type { LogLine } from './log-lines.ts';
import { useEndInView } from './use-end-in-view.ts';

// The message in a JSON line of our service, shown in bold.
const MESSAGE = /("msg":)("(?:[^"\\]|\\.)*")/;

function emphasised(text: string): ReactNode {
  const found = MESSAGE.exec(text);
  if (!found) return text;
  const [, name = '', message = ''] = found;
  const begin = found.index + name.length;
  return (
    <>
      {text.slice(0, begin)}
      <b>{message}</b>
      {text.slice(begin + message.length)}
    </>
  );
}

interface Props {
  label: string;
  lines: readonly LogLine[];
  /** Whether to stay at the newest line. */
  isAtEnd: boolean;
  onEnd: (isAtEnd: boolean) => void;
  /** The number of the line to scroll to and to outline. */
  pointedAt?: number | undefined;
}

/** The lines as they are in the file, each with the colour of its level. */
export function LogText({ label, lines, isAtEnd, onEnd, pointedAt }: Props) {
  const { box, onScroll } = useEndInView<HTMLPreElement>(isAtEnd, onEnd);
  useEffect(() => {
    if (pointedAt !== undefined)
      box.current?.querySelector('[data-is-first]')?.scrollIntoView({ block: 'center' });
  }, [pointedAt, box]);
  return (
    // biome-ignore lint: the text scrolls, so the keyboard must reach it.
    <pre
      ref={box}
      className={styles['text']}
      tabIndex={0}
      role="log"
      aria-label={label}
      aria-live="off"
      onScroll={onScroll}
    >
      {lines.map(({ number, text, level }) => (
        <div key={number} data-level={level} {...(number === pointedAt && { 'data-is-first': '' })}>
          {emphasised(text)}
        </div>
      ))}
    </pre>
  );
}
