import { randomBytes } from 'node:crypto';
import type { Nouns } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { hmac } from '../../base/secrets/hmac.ts';
import { sameSecret } from '../../base/secrets/tokens.ts';

/** The point in a kapsule's changes that watermarks are compared with. */
export interface ChangePoint {
  kapsuleId: string;
  /** The number of its last change. */
  lastChange: number;
  /** Another one after each restore of a backup; empty before the first. */
  epoch: string;
}

/** Watermarks contain the number of a kapsule's last change, signed. */
export interface Watermarks {
  give(at: ChangePoint): string;
  /** The number in the watermark; throws when it was not issued for this kapsule, or for changes that a restore took back. */
  read(watermark: string, now: ChangePoint): number;
}

const SIGNATURE_LENGTH = 16;
const EPOCH_BYTES = 6;
/** The watermark before the first change: reading since it returns all granules, confirming it confirms none. */
const BEGINNING = '0';
/** The number, the epoch if there is one, and the signature. */
const PARTS = /^(\d+)-(?:([\w-]{8})-)?[\w-]{16}$/;

/**
 * Signs each watermark, so that a caller can confirm granules only up to a change that a read of this kapsule
 * returned.
 */
export function createWatermarks(pepper: () => Buffer): Watermarks {
  const give: Watermarks['give'] = ({ kapsuleId, lastChange, epoch }) => {
    const parts = epoch === '' ? [lastChange] : [lastChange, epoch];
    // Starts with a character that no API key has, so that a signature never equals the hash of a key.
    const text = `\0watermark ${[kapsuleId, ...parts].join(' ')}`;
    return [...parts, hmac(pepper(), text).slice(0, SIGNATURE_LENGTH)].join('-');
  };
  return {
    give,
    read(watermark, now) {
      if (watermark === BEGINNING) return 0;
      const [, change = '', epoch = ''] = PARTS.exec(watermark) ?? [];
      const lastChange = Number(change);
      if (!sameSecret(watermark, give({ ...now, lastChange, epoch })))
        throw new AppError('BAD_INPUT', 'This watermark was never given.');
      if (epoch !== now.epoch || lastChange > now.lastChange) throw new AppError('WATERMARK_OUTDATED');
      return lastChange;
    },
  };
}

/** The epoch of the granules in the store. */
export const epochOf = async ({ instance }: Pick<Nouns, 'instance'>): Promise<string> =>
  (await instance.all())[0]?.epoch ?? '';

/** After a restore: the numbers of the changes that it took back are given again to others. */
export async function beginEpoch({ instance }: Pick<Nouns, 'instance'>): Promise<void> {
  const epoch = randomBytes(EPOCH_BYTES).toString('base64url');
  for (const { id } of await instance.all()) await instance.patch(id, { epoch });
}
