import { createHmac } from 'node:crypto';
import type { AuditRecord } from '../nouns/audit.ts';
import { sealedText } from './sealed-text.ts';

/** The id of the only document of the trail, its end record. */
export const END = '0'.repeat(24);

/** The key of the seals, which is not in the database. */
export type TrailSecret = () => Buffer;

/** An entry without its seal, as it is stored. */
export type Unsealed = Omit<AuditRecord, 'seal'>;

export class Seals {
  readonly #secret: TrailSecret;

  constructor(secret: TrailSecret) {
    this.#secret = secret;
  }

  /** The seal of an entry, over the entry and the seal of the one before it. */
  ofEntry(before: string, entry: Unsealed): string {
    return this.#of([before, entry]);
  }

  ofEnd(number: number, lastSeal: string): string {
    return this.#of(['end', number, lastSeal]);
  }

  #of(value: unknown): string {
    return createHmac('sha256', this.#secret()).update(sealedText(value)).digest('base64url');
  }
}
