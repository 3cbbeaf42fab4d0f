let lastNow = 0;

/** Never goes back, so that the order of updatedAt stays the order of changes when the clock is set. */
export function nowText(): string {
  lastNow = Math.max(lastNow, Date.now());
  return new Date(lastNow).toISOString();
}
