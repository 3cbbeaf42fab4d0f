/** The number of past days with reloads. */
export const DAYS = 42;
const SLOWING_AFTER = 14;
const SLOWER_PER_DAY = 1.045;

/** The duration of a full reload of an app in the past: constant, except for the first app, which slows down daily. */
export function reloadSeconds(appIndex: number, daysAgo: number): number {
  const steady = 7 + ((appIndex * 37) % 50);
  return appIndex === 0 ? steady * SLOWER_PER_DAY ** Math.max(0, DAYS - SLOWING_AFTER - daysAgo) : steady;
}
