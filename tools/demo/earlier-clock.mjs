/** Preloaded in every thread: sets the clock of a process back by some days, so that its data is dated in the past. */
const daysAgo = Number(process.env['DEMO_DAYS_AGO'] ?? 0);
const now = Date.now;
Date.now = () => now() - daysAgo * 24 * 3_600_000;
