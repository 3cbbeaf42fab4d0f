import { Tooltip } from 'antd';
import { ageAndZone, formatRelative, formatTime, parseTime } from './time.ts';
import { useMinute } from './use-minute.ts';

/** The width of a column of times. */
export const TIME_WIDTH = 178;

interface Props {
  value: string | null | undefined;
}

/** A time in the format of the console; the tooltip has its age and the time zone, and screen readers read the age. */
export function TimeText({ value }: Props) {
  const date = parseTime(value);
  // An element, not a text: it is made only when the tooltip is shown.
  return date ? (
    <Tooltip title={<AgeAndZone date={date} />}>
      <Time date={date} />
    </Tooltip>
  ) : (
    noTime
  );
}

/** The same in a `DataTable`, whose one tooltip serves all times: one for each would slow down a page of many rows. */
export function TimeCell({ value }: Props) {
  const date = parseTime(value);
  return date ? <Time date={date} data-cell="" /> : noTime;
}

const noTime = <span aria-label="no time">–</span>;

const AgeAndZone = ({ date }: { date: Date }) => ageAndZone(date);

/** With the handlers of its tooltip. */
function Time({ date, ...rest }: { date: Date }) {
  // The age that is read grows like that of the tooltip.
  useMinute();
  return (
    <time
      {...rest}
      className="also-spoken"
      data-spoken={`, ${formatRelative(date)}`}
      dateTime={date.toISOString()}
      style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
    >
      {formatTime(date)}
    </time>
  );
}
