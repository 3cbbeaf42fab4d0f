let lastTime = 0;
/** All but the last six digits, which are the only ones that change within one millisecond. */
let head = '';
let count = 0;

const MOST = 2 ** 24;
const hex = (value: number) => value.toString(16).padStart(12, '0');
const sixDigits = (value: number) => (MOST + value).toString(16).slice(1);

const drawn = new Uint32Array(256);
let nextDrawn = drawn.length;

/** A random whole number below 2^32; many are drawn together, because a draw costs more than the id. */
function random(): number {
  if (nextDrawn === drawn.length) {
    crypto.getRandomValues(drawn);
    nextDrawn = 0;
  }
  return drawn[nextDrawn++] ?? 0;
}

/** 24 hex digits: 6 bytes of time in ms, 6 random bytes; ids of one process increase strictly. */
export function newId(): string {
  const now = Date.now();
  count += 1;
  // While the clock is set back, the counter can reach its maximum.
  if (now > lastTime || count === MOST) {
    lastTime = Math.max(now, lastTime + 1);
    head = hex(lastTime) + sixDigits(random() % MOST);
    count = random() % (MOST / 2);
  }
  return head + sixDigits(count);
}

/**
 * A new id, or one that follows `last` if a clock that was ahead made `last`: at a random distance, because several
 * instances follow the same id.
 */
export function newIdAfter(last: string): string {
  const id = newId();
  if (id > last) return id;
  return (BigInt(`0x${last}`) + BigInt(random()) + 1n).toString(16).padStart(24, '0');
}

/** The smallest id of this millisecond: earlier ids are less, later ones are not. */
export function idAt(isoTime: string): string {
  const time = Date.parse(isoTime);
  if (Number.isNaN(time)) throw new RangeError(`${isoTime} is no time.`);
  return hex(Math.max(0, time)) + hex(0);
}

export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}
