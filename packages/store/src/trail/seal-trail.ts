import { NotFoundError, StaleVersionError } from '../errors.ts';
import { idAt, newIdAfter } from '../ids.ts';
import type { AuditRecord } from '../nouns/audit.ts';
import type { TrailRecord } from '../nouns/trail.ts';
import type { Documents, NewDocument, Nouns, Store } from '../store.ts';
import { END, Seals, type TrailSecret } from './seals.ts';
import { wrapAudit } from './wrap-audit.ts';

/**
 * A store whose audit entries are a chain: each is numbered and sealed together with the seal of the one before, in the
 * unit that writes it. Units run one after another over all instances, so there is always one newest entry.
 */
export function sealTrail(store: Store, secret: TrailSecret): Store {
  const seals = new Seals(secret);
  // The end record as this process has last stored it; reading it each time would cost a round trip.
  let known: TrailRecord | undefined;

  return wrapAudit(store, (nouns) => {
    const unit = new TrailUnit(nouns, seals, known);
    return {
      audit: unit.audit,
      committed() {
        known = unit.end ?? known;
      },
    };
  });
}

/** The trail within one unit of work. */
class TrailUnit {
  readonly audit: Documents<AuditRecord>;
  end: TrailRecord | undefined;
  readonly #nouns: Nouns;
  readonly #seals: Seals;

  constructor(nouns: Nouns, seals: Seals, end: TrailRecord | undefined) {
    this.#nouns = nouns;
    this.#seals = seals;
    this.end = end;
    // Appends one entry after another, also when calls are parallel: each seal depends on the one before.
    let last: Promise<unknown> = Promise.resolve();
    const insert = async (entry: NewDocument<AuditRecord>) => {
      const inserted = last.then(() => this.#append(entry));
      last = inserted.catch(() => undefined);
      return await inserted;
    };
    this.audit = { ...nouns.audit, insert };
  }

  async #append(given: NewDocument<AuditRecord>): Promise<AuditRecord> {
    try {
      if (this.end) return await this.#appendAfter(this.end, given);
    } catch (error) {
      // Another instance has written meanwhile.
      if (!(error instanceof StaleVersionError || error instanceof NotFoundError)) throw error;
    }
    return await this.#appendAfter(await this.#nouns.trail.get(END), given);
  }

  async #appendAfter(end: TrailRecord | undefined, given: NewDocument<AuditRecord>): Promise<AuditRecord> {
    const { trail, audit } = this.#nouns;
    const lastId = end?.lastId ?? (await audit.recent({ limit: 1 }))[0]?.id ?? '';
    const id = given.id ?? newIdAfter(lastId);
    const entry = {
      ...given,
      id,
      version: 1,
      number: (end?.number ?? 0) + 1,
      ...(isAhead(id, given.at) && { isAhead: true as const }),
    };
    const lastSeal = this.#seals.ofEntry(end?.lastSeal ?? '', entry);
    const change = {
      number: entry.number,
      lastSeal,
      lastId: id > lastId ? id : lastId,
      seal: this.#seals.ofEnd(entry.number, lastSeal),
    };
    this.end = end
      ? await trail.patch(END, change, end.version)
      : await trail.insert({ id: END, singleton: 'trail', ...change });
    return await audit.insert({ ...entry, seal: lastSeal });
  }
}

const AHEAD_MS = 1000;

const isAhead = (id: string, at: string): boolean =>
  id >= idAt(new Date(Date.parse(at) + AHEAD_MS).toISOString());
