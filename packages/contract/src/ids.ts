let lastTime = 0;
let lastRandom = 0;

const hex = (value: number) => value.toString(16).padStart(12, '0');

/** 47 bits: the upper half stays free, so that counting up inside one millisecond can't overflow. */
function chance(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 15) * 2 ** 32 + low;
}

/** 24 hex digits: 6 bytes of time in ms, 6 bytes of chance; every id of a process is greater than the one before. */
export function newId(): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    lastRandom = chance();
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
