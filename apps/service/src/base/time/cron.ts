import { Cron } from 'croner';

/** An invalid schedule, with a message for the user who entered it. */
export class CronError extends Error {
  override name = 'CronError';
}

const PARTS = 5;

interface CronSchedule {
  /** The first run after this time, both in ms. */
  next(after: number): number;
}

/**
 * Minute, hour, day of month, month, day of week. When both day fields are restricted, either one matches, as in
 * cron.
 */
export function parseCron(text: string, timeZone = 'UTC'): CronSchedule {
  requireTimeZone(timeZone);
  const cron = parsed(text.trim(), timeZone);
  const next = (after: number): number => {
    const run = cron.nextRun(new Date(after));
    if (!run) throw new CronError('There is no such day in any year.');
    return run.getTime();
  };
  next(0);
  return { next };
}

function requireTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new CronError(`There is no time zone ${JSON.stringify(timeZone)}.`);
  }
}

function parsed(text: string, timezone: string): Cron {
  if (text.split(/\s+/).length !== PARTS)
    throw new CronError('A schedule has five parts: minute, hour, day of month, month, day of week.');
  try {
    return new Cron(text, { timezone, mode: '5-part', paused: true, sloppyRanges: true });
  } catch (error) {
    throw new CronError(
      `"${text}" is not a schedule: ${(error as Error).message.replace(/^CronPattern: /, '')}`,
    );
  }
}
