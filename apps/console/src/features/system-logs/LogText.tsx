import type { ReactNode } from 'react';
import type { LogLine } from './log-lines.ts';
import styles from './SystemLogs.module.css';
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
}

/** The lines as they are in the file, each with the colour of its level. */
export function LogText({ label, lines, isAtEnd, onEnd }: Props) {
  const { box, onScroll } = useEndInView<HTMLPreElement>(isAtEnd, onEnd);
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
        <div key={number} data-level={level}>
          {emphasised(text)}
        </div>
      ))}
    </pre>
  );
}
