const DAY_MS = 86_400_000;

/** One bar for every day (UTC) up to today, also for days without a change. */
export function lastDays(changes: readonly { day: string; changes: number }[], days: number, now: number) {
  const changesByDay = new Map(changes.map((entry) => [entry.day.slice(0, 10), entry.changes]));
  return Array.from({ length: days }, (_, index) => {
    const label = new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { label, value: changesByDay.get(label) ?? 0 };
  });
}
