import { AppError } from '../http/app-error.ts';
import { hmac } from './hmac.ts';
import { sameSecret } from './tokens.ts';

/** Watermarks contain the number of a kapsule's last change, signed. */
export interface Watermarks {
  give(kapsuleId: string, change: number): string;
  /** The number in the watermark; throws when it was not issued for this kapsule. */
  read(kapsuleId: string, watermark: string): number;
}

const SIGNATURE_LENGTH = 16;
/** The watermark before the first change: reading since it returns all granules, confirming it confirms none. */
const BEGINNING = '0';

/**
 * Signs each watermark, so that a caller can confirm granules only up to a change that a read of this kapsule
 * returned.
 */
export function createWatermarks(pepper: () => Buffer): Watermarks {
  const give: Watermarks['give'] = (kapsuleId, change) => {
    // Starts with a character that no API key has, so that a signature never equals the hash of a key.
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
