import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { AuditRecord } from '../nouns/audit.ts';
import type { SealRecord } from '../nouns/seals.ts';
import { sealedText } from './sealed-text.ts';

/** The id of the only document of the trail, its end record. */
export const END = '0'.repeat(24);

/** The key of the seals, which is not in the database. */
export type TrailSecret = () => Buffer;

/** An entry without its seal, as it is stored. */
type Unsealed = Omit<AuditRecord, 'seal'>;

/** HMACs over texts that can't be mistaken for each other: each list has another length or another first word. */
export class Seals {
  readonly #secret: TrailSecret;
  /** Made once: that costs more than an HMAC. */
  #hmacKey: { of: Buffer; key: KeyObject } | undefined;
  #key: string | undefined;

  constructor(secret: TrailSecret) {
    this.#secret = secret;
  }

  /** Tells secrets apart without telling them. */
  get key(): string {
    return (this.#key ??= this.#of(['key']).slice(0, 8));
  }

  /** Holds an entry to what it was when it was written. */
  macOf(entry: AuditRecord): string {
    return this.#of(['entry', entry]);
  }

  /** Holds entries together and to the seal before them. */
  ofEntries(before: string, first: number, entries: SealRecord['entries']): string {
    return this.#of(['entries', before, first, entries]);
  }

  /** As earlier versions sealed each entry: to the seal of the one before; the first has none before it. */
  ofEntry(before: string, entry: Unsealed): string {
    return this.#of([before, entry]);
  }

  ofEnd(number: number, lastSeal: string): string {
    return this.#of(['end', number, lastSeal]);
  }

  #of(value: unknown): string {
    const secret = this.#secret();
    if (this.#hmacKey?.of !== secret) this.#hmacKey = { of: secret, key: createSecretKey(secret) };
    return createHmac('sha256', this.#hmacKey.key).update(sealedText(value)).digest('base64url');
  }
}
