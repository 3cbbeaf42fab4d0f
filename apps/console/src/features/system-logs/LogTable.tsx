import { memo, useState } from 'react';
import { CodeBlock } from '../../shared/CodeBlock.tsx';
import type { LogLine } from '../../shared/log-view/log-lines.ts';
import { useEndInView } from '../../shared/log-view/use-end-in-view.ts';
import { formatTime, parseTime } from '../../shared/time.ts';
import { type LogRow, rowOf } from './log-entries.ts';
import styles from './SystemLogs.module.css';

interface Props {
  label: string;
  lines: readonly LogLine[];
  /** Whether to stay at the newest line. */
  isAtEnd: boolean;
  onEnd: (isAtEnd: boolean) => void;
}

function timeIn({ time }: LogRow): string {
  const date = parseTime(time);
  return date ? formatTime(date) : '–';
}

/** The details of the last line open below the edge of the box. */
const showWhole = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' });

/** One line: what everybody looks for, and the whole of it on demand. */
const Row = memo(function Row({ line }: { line: LogLine }) {
  const [isOpen, setOpen] = useState(false);
  const row = rowOf(line);
  const { level, message, requestId, details, number } = row;
  const [day, time] = timeIn(row).split(' ');
  return (
    <>
      <tr data-level={level}>
        <td>
          {/* A plain button, because a log has thousands of them. */}
          <button
            type="button"
            className={styles['time']}
            aria-expanded={isOpen}
            aria-label={`Line ${number + 1}, ${timeIn(row)}`}
            onClick={() => setOpen(!isOpen)}
          >
            {/* A small screen shows the time of day alone. */}
            {time && <span>{`${day} `}</span>}
            {time ?? day}
          </button>
        </td>
        <td>
          <span className={styles['level']}>{level}</span>
        </td>
        <td className={styles['message']}>{message}</td>
        <td className={styles['request']}>{requestId}</td>
      </tr>
      {isOpen && (
        <tr ref={showWhole}>
          <td colSpan={4}>
            <CodeBlock label={`Line ${number + 1}`} text={details} />
          </td>
        </tr>
      )}
    </>
  );
});

/** The lines of a log as a table; each row opens to its JSON. */
export function LogTable({ label, lines, isAtEnd, onEnd }: Props) {
  const { box, onScroll } = useEndInView<HTMLDivElement>(isAtEnd, onEnd);
  return (
    // biome-ignore lint: the table scrolls, so the keyboard must reach it.
    <div
      ref={box}
      className={styles['table']}
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={onScroll}
    >
      <table aria-label={label}>
        <thead>
          <tr>
            {['Time', 'Level', 'Message', 'Request ID'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Row key={line.number} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
