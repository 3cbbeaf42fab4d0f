import { msToSerial } from '../dates.ts';

const [DASH, COLON, DOT, SPACE, T] = [0x2d, 0x3a, 0x2e, 0x20, 0x54];
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const [DATE_LENGTH, WHOLE_SECONDS_LENGTH, TIMESTAMP_LENGTH] = [10, 19, 23];
/** Date.UTC takes smaller years for those of the twentieth century. */
const FIRST_YEAR = 100;

/** Reads `2024-02-29` in a column of dates and `2024-02-29T13:05:00.000` in one of timestamps, without making a string. */
export class IsoBytes {
  /** Of the last text that was read. */
  serial = 0;
  /** The text of its dual, as long as `length` says. */
  readonly text: Uint8Array = new Uint8Array(TIMESTAMP_LENGTH);
  length = 0;
  readonly #expected: number;
  readonly #last: Uint8Array = new Uint8Array(TIMESTAMP_LENGTH);

  constructor(type: 'date' | 'timestamp') {
    this.#expected = type === 'date' ? DATE_LENGTH : TIMESTAMP_LENGTH;
  }

  /** Whether these are the bytes that were read last. */
  isLast(source: Uint8Array, from: number, to: number): boolean {
    if (to - from !== this.#expected || this.length === 0) return false;
    for (let at = 0; at < this.#expected; at++) if (source[from + at] !== this.#last[at]) return false;
    return true;
  }

  /** False for any other form, which may be a time all the same. */
  read(source: Uint8Array, from: number, to: number): boolean {
    if (to - from !== this.#expected) return false;
    const year = digits(source, from, 4);
    const month = digits(source, from + 5, 2);
    const day = digits(source, from + 8, 2);
    if (source[from + 4] !== DASH || source[from + 7] !== DASH) return false;
    if (!(year >= FIRST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)))
      return false;
    const timeMs = this.#expected === DATE_LENGTH ? 0 : timeOf(source, from + DATE_LENGTH);
    if (timeMs < 0) return false;
    this.serial = msToSerial(Date.UTC(year, month - 1, day) + timeMs);
    for (let at = 0; at < this.#expected; at++) this.text[at] = this.#last[at] = source[from + at] as number;
    this.text[DATE_LENGTH] = SPACE;
    this.length = timeMs % 1000 === 0 ? Math.min(this.#expected, WHOLE_SECONDS_LENGTH) : this.#expected;
    return true;
  }
}

/** The milliseconds of `T13:05:00.000`, -1 for anything else. */
function timeOf(source: Uint8Array, at: number): number {
  const hours = digits(source, at + 1, 2);
  const minutes = digits(source, at + 4, 2);
  const seconds = digits(source, at + 7, 2);
  const ms = digits(source, at + 10, 3);
  const isPunctuated =
    (source[at] === T || source[at] === SPACE) &&
    source[at + 3] === COLON &&
    source[at + 6] === COLON &&
    source[at + 9] === DOT;
  const isTime = hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60;
  return isPunctuated && isTime && ms >= 0 ? ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms : -1;
}

/** A number of so many digits, NaN when one of them is none. */
function digits(source: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let place = at; place < at + count; place++) {
    const digit = (source[place] as number) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : (DAYS[month - 1] as number);
}
