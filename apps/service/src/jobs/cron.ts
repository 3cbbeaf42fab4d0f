/** The five fields of a schedule and the values each may have; 0 and 7 both mean Sunday. */
const fields = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12 },
  { name: 'day of week', min: 0, max: 7 },
] as const;

/** A sentence for the person who wrote the schedule. */
export class CronError extends Error {
  override name = 'CronError';
}

const PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

function valuesOf(text: string, { name, min, max }: (typeof fields)[number]): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const match = PART.exec(part);
    const [, from, to, step] = match ?? [];
    const first = from === undefined ? min : Number(from);
    // A step after a single number counts on to the end: 5/10 is 5, 15, 25 …
    const last = to === undefined ? (from === undefined || step !== undefined ? max : first) : Number(to);
    const isSound = match && first >= min && last <= max && first <= last && step !== '0' && step !== '00';
    if (!isSound)
      throw new CronError(`"${part}" is not a ${name}: use ${min} to ${max}, *, lists, ranges or steps.`);
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

const DAY = 24 * 3_600_000;
/** Leap days come back within eight years, also around 2100. */
const DAYS_AHEAD = 8 * 366 + 1;

export interface Cron {
  /** The first moment after this one, in ms. */
  next(after: number): number;
}

/** Minute, hour, day of month, month, day of week, in UTC. */
export function parseCron(text: string): Cron {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== fields.length)
    throw new CronError('A schedule has five parts: minute, hour, day of month, month, day of week.');
  const sets = fields.map((field, place) => valuesOf(parts[place] ?? '', field));
  const [minutes, hours, days, months, weekdays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  if (weekdays.has(7)) weekdays.add(0);
  const [isAnyDay, isAnyWeekday] = [parts[2] === '*', parts[4] === '*'];
  const isDay = (date: Date): boolean => {
    const [byDay, byWeekday] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    // As cron has always done it: with both given, either is enough.
    const isRight = isAnyDay || isAnyWeekday ? byDay && byWeekday : byDay || byWeekday;
    return isRight && months.has(date.getUTCMonth() + 1);
  };
  const times = [...hours].flatMap((hour) => [...minutes].map((minute) => (hour * 60 + minute) * 60_000));
  times.sort((a, b) => a - b);
  const next = (after: number): number => {
    const today = Math.floor(after / DAY) * DAY;
    for (let day = today; day < today + DAYS_AHEAD * DAY; day += DAY) {
      if (!isDay(new Date(day))) continue;
      const time = times.find((ms) => day + ms > after);
      if (time !== undefined) return day + time;
    }
    throw new CronError('There is no such day in any year.');
  };
  next(0);
  return { next };
}
