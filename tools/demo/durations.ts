/** How many days of reloads the demo has behind it. */
export const DAYS = 42;
const SLOWING_AFTER = 14;
const SLOWER_PER_DAY = 1.045;

/** What a full reload of the app at this place took so many days ago: steady, but the first app slows down day by day. */
export function reloadSeconds(place: number, daysAgo: number): number {
  const steady = 7 + ((place * 37) % 50);
  return place === 0 ? steady * SLOWER_PER_DAY ** Math.max(0, DAYS - SLOWING_AFTER - daysAgo) : steady;
}
