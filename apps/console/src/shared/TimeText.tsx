import { Tooltip } from 'antd';
import { formatRelative, formatTime, formatZone, parseTime } from './time.ts';
import { useMinute } from './use-minute.ts';

/** The width of a column of times. */
export const TIME_WIDTH = 178;

/** A time in the format of the console; the tooltip has its age and the time zone, and screen readers read the age. */
export function TimeText({ value }: { value: string | null | undefined }) {
  // The age that is read grows like that of the tooltip.
  useMinute();
  const date = parseTime(value);
  if (!date) return <span aria-label="no time">–</span>;
  return (
    <Tooltip title={() => `${formatRelative(date)} · ${formatZone(date)}`}>
      <time
        className="also-spoken"
        data-spoken={`, ${formatRelative(date)}`}
        dateTime={date.toISOString()}
        style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      >
        {formatTime(date)}
      </time>
    </Tooltip>
  );
}
