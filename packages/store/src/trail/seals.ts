import { createHash, createHmac } from 'node:crypto';
import type { AuditRecord } from '../nouns/audit.ts';
import type { Nouns } from '../store.ts';
import { canonical, documentsOf } from '../transfer-compare.ts';

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

  /** Holds an entry to the seal of the one before. */
  ofEntry(before: string, entry: Unsealed): string {
    return this.#of([before, entry]);
  }

  ofEnd(number: number, lastSeal: string): string {
    return this.#of(['end', number, lastSeal]);
  }

  #of(value: unknown): string {
    return createHmac('sha256', this.#secret()).update(canonical(value)).digest('base64url');
  }
}

/** Stands for all entries that are older than the chain, in the place of the seal before the first. */
export class Beginning {
  readonly #hash = createHash('sha256');
  count = 0;

  /** Newest first. */
  add(entry: AuditRecord): void {
    this.#hash.update(canonical(entry)).update('\n');
    this.count += 1;
  }

  get seal(): string {
    return this.#hash.copy().digest('base64url');
  }
}

/** Newest first. */
export async function* entriesOf(nouns: Nouns): AsyncGenerator<AuditRecord> {
  for await (const page of documentsOf(nouns, 'audit')) yield* page as AuditRecord[];
}
