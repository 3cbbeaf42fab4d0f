import { randomBytes } from 'node:crypto';

const RANDOM_LIMIT = 2 ** 48;

let lastTime = 0;
let lastRandom = 0;

const hex = (value: number) => value.toString(16).padStart(12, '0');

/** 24 hex digits: 6 bytes of time in ms, 6 bytes of chance; every id of a process is greater than the one before. */
export function newId(): string {
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

/** The smallest id of this moment; ids made earlier are less, ids made later are not. */
export function idAt(isoTime: string): string {
  const time = Date.parse(isoTime);
  if (Number.isNaN(time)) throw new RangeError(`${isoTime} is no time.`);
  return hex(Math.max(0, time)) + hex(0);
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}
