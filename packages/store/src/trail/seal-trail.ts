import { idAt, newIdAfter } from '../ids.ts';
import { type AuditRecord, LATEST_ID_MS } from '../nouns/audit.ts';
import type { NewDocument, Store } from '../store.ts';
import { Sealing, sealEntries } from './sealing.ts';
import { Seals, type TrailSecret } from './seals.ts';
import { wrapAudit } from './wrap-audit.ts';

/**
 * A store whose audit entries become a chain. The unit that writes an entry also stores the entry's own HMAC; within
 * about a second the entry gets its number in the chain (see Sealing), so that no unit waits for the chain.
 */
export function sealTrail(store: Store, secret: TrailSecret): Store {
  const seals = new Seals(secret);
  const ids = new TrailIds(store);
  const sealing = new Sealing(async () => {
    await ids.refresh();
    await sealEntries(store, seals);
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await sealing.stop();
    await store.close();
  };
  return { ...withMacs(store, seals, ids), close: () => (closing ??= close()) };
}

/** Stores each entry with its own HMAC, and leaves sealing them to others. */
export function withMacs(store: Store, seals: Seals, ids = new TrailIds(store)): Store {
  const prepare = async (newEntry: NewDocument<AuditRecord>) => {
    const id = newEntry.id ?? (await ids.next());
    const ahead = isAhead(id, newEntry.at) && { isAhead: true as const };
    const entry: AuditRecord = { ...newEntry, id, version: 1, ...ahead };
    return { entry, toSeal: { id, mac: seals.macOf(entry), key: seals.key } };
  };
  const wrapped = wrapAudit(store, ({ audit, toSeal }) => ({
    audit: {
      ...audit,
      async insert(given) {
        const prepared = await prepare(given);
        const inserted = await audit.insert(prepared.entry);
        await toSeal.insert(prepared.toSeal);
        return inserted;
      },
    },
  }));
  const save: Store['save'] = async (saving) => store.save({ ...saving, ...(await prepare(saving.entry)) });
  return { ...wrapped, save };
}

/** Seals at once what would be sealed within a second. */
export const sealPending = (store: Store, secret: TrailSecret): Promise<void> =>
  sealEntries(store, new Seals(secret));

/** Ids that follow the newest known one: also after a clock was ahead and was set back, lists sorted by id are in order. */
class TrailIds {
  readonly #store: Store;
  #last = '';
  #first: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  async next(): Promise<string> {
    await (this.#first ??= this.refresh().catch((error: unknown) => {
      this.#first = undefined;
      throw error;
    }));
    this.#last = newIdAfter(this.#last);
    return this.#last;
  }

  /** Learns of entries that other instances have written. */
  async refresh(): Promise<void> {
    const newest = (await this.#store.audit.recent({ limit: 1 }))[0]?.id ?? '';
    if (newest > this.#last) this.#last = newest;
  }
}

const isAhead = (id: string, at: string): boolean =>
  id >= idAt(new Date(Date.parse(at) + LATEST_ID_MS).toISOString());
