import { createHmac, randomBytes } from 'node:crypto';
import { CLOCK_TOLERANCE_MS } from '../../base/time/clock.ts';

const STEP_MS = 30_000;
/** A code is valid one step earlier and later: the clocks of phones differ, and typing takes time. */
const WINDOW = 1;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding, as authenticator apps expect it. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** RFC 4226 recommends 160 bits. */
export const newTotpSecret = (): string => base32(randomBytes(20));

/** HOTP of RFC 4226 with the counter of RFC 6238. */
export function codeOfStep(secret: Buffer, step: number, digits: number = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = hash.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/**
 * The time step of a code, or undefined when it is wrong or not later than the last one that was used. A last step
 * further ahead than the clocks differ was stored while the clock was ahead, and does not count.
 */
export function matchingStep(
  secret: string,
  code: string,
  now: number,
  lastStep: number,
): number | undefined {
  const current = stepAt(now);
  const isFromFuture = lastStep > current + WINDOW + CLOCK_TOLERANCE_MS / STEP_MS;
  const key = fromBase32(secret);
  let found: number | undefined;
  // Compares all steps of the window, so that the time taken tells nothing.
  for (let step = current - WINDOW; step <= current + WINDOW; step++)
    if (codeOfStep(key, step) === code && (isFromFuture || step > lastStep)) found ??= step;
  return found;
}
