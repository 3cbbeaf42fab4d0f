import { randomBytes } from 'node:crypto';

const RANDOM_LIMIT = 2 ** 48;

let lastTime = 0;
let lastRandom = 0;

const hex = (value: number) => value.toString(16).padStart(12, '0');

/** 24 hex digits, each id of a process greater than the one before: new rows lie at the end of their index. */
export function newRowId(): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    // The upper half stays free, so that counting up inside one millisecond can't overflow.
    lastRandom = randomBytes(6).readUIntBE(0, 6) % (RANDOM_LIMIT / 2);
  } else {
    lastRandom += 1;
  }
  return hex(lastTime) + hex(lastRandom);
}

let lastNow = 0;

/** Never goes back, so that the order of updates stays the order of changes when the clock is set. */
export function nowText(): string {
  lastNow = Math.max(lastNow, Date.now());
  return new Date(lastNow).toISOString();
}
