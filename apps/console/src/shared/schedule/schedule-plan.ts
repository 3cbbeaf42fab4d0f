/** The choices of the form; `custom` is any cron expression. */
const repeats = ['none', 'quarter', 'hour', 'day', 'weekdays', 'week', 'month', 'custom'] as const;
export type Repeat = (typeof repeats)[number];

export interface Plan {
  repeat: Repeat;
  /** HH:mm; of an hourly plan only the minute counts. */
  time: string;
  /** 0 is Sunday, as in cron. */
  weekday: number;
  /** Of the month; at most 28, so that every month has it. */
  day: number;
  cron: string;
}

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;
export const LAST_DAY = 28;

const emptyPlan: Plan = { repeat: 'none', time: '05:30', weekday: 1, day: 1, cron: '' };

const two = (value: string) => value.padStart(2, '0');

/** The plan of a cron expression: one of the presets if it has that form, otherwise custom. */
export function planOf(cron: string | null): Plan {
  const text = (cron ?? '').trim().replace(/\s+/g, ' ');
  if (text === '') return emptyPlan;
  const plan = { ...emptyPlan, cron: text };
  if (text === '*/15 * * * *') return { ...plan, repeat: 'quarter' };
  const [, minute = '', hour = '', day = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* (\d|1-5|\*)$/.exec(text) ?? [];
  const isTime = minute !== '' && Number(minute) < 60 && (hour === '*' || Number(hour) < 24);
  if (!isTime) return { ...plan, repeat: 'custom' };
  const time = `${two(hour === '*' ? '0' : hour)}:${two(minute)}`;
  if (hour === '*') return { ...plan, time, repeat: day === '*' && weekday === '*' ? 'hour' : 'custom' };
  if (day === '*' && weekday === '*') return { ...plan, time, repeat: 'day' };
  if (day === '*' && weekday === '1-5') return { ...plan, time, repeat: 'weekdays' };
  if (day === '*') return { ...plan, time, repeat: 'week', weekday: Number(weekday) % 7 };
  const isMonthly = weekday === '*' && Number(day) >= 1 && Number(day) <= LAST_DAY;
  return isMonthly ? { ...plan, time, repeat: 'month', day: Number(day) } : { ...plan, repeat: 'custom' };
}

/** The cron expression of a plan; null for no schedule. */
export function cronOf({ repeat, time, weekday, day, cron }: Plan): string | null {
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute ?? 0} ${hour ?? 0}`;
  switch (repeat) {
    case 'none':
      return null;
    case 'quarter':
      return '*/15 * * * *';
    case 'hour':
      return `${minute ?? 0} * * * *`;
    case 'day':
      return `${at} * * *`;
    case 'weekdays':
      return `${at} * * 1-5`;
    case 'week':
      return `${at} * * ${weekday}`;
    case 'month':
      return `${at} ${day} * *`;
    case 'custom':
      return cron.trim() || null;
  }
}

/** `every 3 minutes` for a step that divides the hour or the day evenly. */
function stepSentence(cron: string): string | undefined {
  const [, minutes, hours] = /^(?:\*\/(\d+) \*|0 \*\/(\d+)) \* \* \*$/.exec(cron) ?? [];
  if (minutes && 60 % Number(minutes) === 0) return `every ${minutes} minutes`;
  return hours && 24 % Number(hours) === 0 ? `every ${hours} hours` : undefined;
}

/** A schedule in words, e.g. `every day at 05:30, Europe/Berlin`. */
export function scheduleSentence(cron: string, timeZone: string): string {
  const { repeat, time, weekday, day, cron: expression } = planOf(cron);
  const texts: Record<Repeat, string> = {
    none: 'never',
    quarter: 'every 15 minutes',
    hour: `every hour at :${time.slice(3)}`,
    day: `every day at ${time}`,
    weekdays: `Monday to Friday at ${time}`,
    week: `every ${weekdays[weekday]} at ${time}`,
    month: `on day ${day} of every month at ${time}`,
    custom: stepSentence(expression) ?? `by the cron expression ${expression}`,
  };
  return `${texts[repeat]}, ${timeZone}`;
}

/** The time zone of this browser, and all others. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
export const timeZones = (): string[] => [
  ...new Set([ownTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];
