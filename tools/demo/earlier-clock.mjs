/** Loaded first, in every thread: lets a process live some days ago, so that what it stores has the age of real data. */
const daysAgo = Number(process.env['DEMO_DAYS_AGO'] ?? 0);
const now = Date.now;
Date.now = () => now() - daysAgo * 24 * 3_600_000;
