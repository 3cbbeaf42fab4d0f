import { randomFillSync } from 'node:crypto';

const BYTES = 12;
const drawn = Buffer.alloc(BYTES * 256);
let next = drawn.length;

/** Random, so that nobody can guess another's; many are drawn at once, because each draw costs as much as a small answer. */
export function newRequestId(): string {
  if (next === drawn.length) {
    randomFillSync(drawn);
    next = 0;
  }
  return drawn.toString('base64url', next, (next += BYTES));
}
