import { createHmac } from 'node:crypto';
import type { AuditRecord } from '../nouns/audit.ts';
import { sealedText } from './sealed-text.ts';

/** The one document of the trail. */
export const END = '0'.repeat(24);

/** With this secret, which is not in the database, entries are sealed. */
export type TrailSecret = () => Buffer;

/** An entry without its seal, as it is stored. */
export type Unsealed = Omit<AuditRecord, 'seal'>;

export class Seals {
  readonly #secret: TrailSecret;

  constructor(secret: TrailSecret) {
    this.#secret = secret;
  }

  /** Holds an entry to the seal of the one before; the first has none before it. */
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
