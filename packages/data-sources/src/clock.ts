let lastNow = 0;

/** The current time, never earlier than in the previous call, so that setting the clock back keeps updates in order. */
export function nowText(): string {
  lastNow = Math.max(lastNow, Date.now());
  return new Date(lastNow).toISOString();
}
