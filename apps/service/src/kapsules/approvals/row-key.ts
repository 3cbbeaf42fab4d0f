import { createHash } from 'node:crypto';

/** Finds the open proposals of one record. */
export const rowKeyOf = (kapsuleId: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([kapsuleId, key]))
    .digest('base64url');
