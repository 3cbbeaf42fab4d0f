import { randomFillSync } from 'node:crypto';

const BYTES = 12;
const drawn = Buffer.alloc(BYTES * 256);
let next = drawn.length;

/**
 * A random id, which can't be guessed. Random bytes are drawn for many ids together, because a draw costs as much as
 * a small answer.
 */
export function newRequestId(): string {
  if (next === drawn.length) {
    randomFillSync(drawn);
    next = 0;
  }
  return drawn.toString('base64url', next, (next += BYTES));
}
