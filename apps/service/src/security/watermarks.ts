import { AppError } from '../http/app-error.ts';
import { hmac } from './hmac.ts';
import { sameSecret } from './tokens.ts';

/** How the number of a kapsule's last change is told to callers. */
export interface Watermarks {
  give(kapsuleId: string, change: number): string;
  /** The number in it; refused when it was not given for this kapsule. */
  read(kapsuleId: string, watermark: string): number;
}

const SIGNATURE_LENGTH = 16;
/** Stands before the first change: a read since then gives everything, confirming it confirms nothing. */
const BEGINNING = '0';

/** Signs each watermark, so that granules are confirmed only up to a change that a read of their kapsule has told. */
export function createWatermarks(pepper: () => Buffer): Watermarks {
  const give: Watermarks['give'] = (kapsuleId, change) => {
    // Begins with a character that no API key has, so that the two never hash the same.
    const text = `\0watermark ${kapsuleId} ${change}`;
    return `${change}-${hmac(pepper(), text).slice(0, SIGNATURE_LENGTH)}`;
  };
  return {
    give,
    read(kapsuleId, watermark) {
      if (watermark === BEGINNING) return 0;
      const change = Number.parseInt(watermark, 10);
      if (sameSecret(watermark, give(kapsuleId, change))) return change;
      throw new AppError('BAD_INPUT', 'This watermark was never given.');
    },
  };
}
