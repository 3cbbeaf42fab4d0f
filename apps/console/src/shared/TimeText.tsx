import { Tooltip } from 'antd';
import { formatRelative, formatTime, formatZone, parseTime } from './time.ts';

/** The width of a column of times. */
export const TIME_WIDTH = 178;

/** A time in the format of the console; the tooltip has its age and the time zone. */
export function TimeText({ value }: { value: string | null | undefined }) {
  const date = parseTime(value);
  if (!date) return <span aria-label="no time">–</span>;
  return (
    <Tooltip title={() => `${formatRelative(date)} · ${formatZone(date)}`}>
      <time
        dateTime={date.toISOString()}
        style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      >
        {formatTime(date)}
      </time>
    </Tooltip>
  );
}
