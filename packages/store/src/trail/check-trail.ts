import type { AuditRecord } from '../nouns/audit.ts';
import type { SealRecord } from '../nouns/seals.ts';
import type { ToSealRecord } from '../nouns/to-seal.ts';
import type { Store } from '../store.ts';
import { documentsOf } from '../transfer-compare.ts';
import { Links, type TrailFault } from './links.ts';
import { END, Seals, type TrailSecret } from './seals.ts';

export type { TrailFault } from './links.ts';

export interface TrailReport {
  /** How many entries the chain has. */
  sealed: number;
  /** How many are as they were written and wait for their number in the chain. */
  waiting: number;
  /** How many nothing holds: nothing is proved of those. */
  unsealed: number;
  /** Oldest first; those without a number last. */
  faults: TrailFault[];
}

/** Walks the whole trail, newest first, while others go on writing. */
export async function checkTrail(store: Store, secret: TrailSecret): Promise<TrailReport> {
  // In this order: what is in none of the three was written later.
  const end = await store.trail.get(END);
  const walk = new Walk(new Seals(secret), end?.number ?? 0, await store.toSeal.all());
  const blocks = documentsOf(store, 'seals');
  for await (const page of documentsOf(store, 'audit')) {
    for (const entry of page as AuditRecord[]) walk.meet(entry);
    // Both are in nearly the same order, so few wait for their counterpart.
    while (walk.isAheadOfSeals && (await meetBlocks(blocks, walk)));
  }
  while (await meetBlocks(blocks, walk));
  walk.links.meetEnd(end);
  walk.meetLater(await store.toSeal.all(), await blocksAfter(store, end?.number ?? 0));
  walk.finish((await store.trail.get(END))?.number ?? 0);
  const order = ({ number = Number.MAX_SAFE_INTEGER }: TrailFault) => number;
  const faults = [...walk.faults.values()].sort((a, b) => order(a) - order(b));
  return { sealed: walk.sealed, waiting: walk.waiting, unsealed: walk.unsealed, faults };
}

async function meetBlocks(blocks: AsyncGenerator<unknown[]>, walk: Walk): Promise<boolean> {
  const { value, done } = await blocks.next();
  if (done) return false;
  for (const block of value as SealRecord[]) walk.meetBlock(block);
  return true;
}

/** Those that were written while the trail was walked. */
async function blocksAfter(store: Store, number: number): Promise<SealRecord[]> {
  const later: SealRecord[] = [];
  for await (const page of documentsOf(store, 'seals')) {
    later.push(...(page as SealRecord[]).filter(({ first }) => first > number));
    if ((page as SealRecord[]).some(({ first }) => first <= number)) break;
  }
  return later;
}

class Walk {
  readonly faults = new Map<string, TrailFault>();
  readonly links: Links;
  sealed = 0;
  waiting = 0;
  unsealed = 0;
  readonly #seals: Seals;
  readonly #last: number;
  /** Ids of entries that had no number yet when the walk began, and have not been met. */
  readonly #unmet: Set<string>;
  readonly #waitingMacs: Map<string, string>;
  /** Entries of the chain that have not been met. */
  readonly #listed = new Map<string, { number: number; mac: string }>();
  /** Entries that no block met so far lists. */
  readonly #met = new Map<string, AuditRecord>();

  constructor(seals: Seals, last: number, waiting: readonly ToSealRecord[]) {
    this.#seals = seals;
    this.#last = last;
    this.links = new Links(seals, last, (fault) => this.#blame(fault));
    this.#waitingMacs = new Map(waiting.map(({ id, mac }) => [id, mac]));
    this.#unmet = new Set(this.#waitingMacs.keys());
  }

  get isAheadOfSeals(): boolean {
    return this.#met.size > this.#listed.size;
  }

  meet(entry: AuditRecord): void {
    this.#unmet.delete(entry.id);
    const { number, seal } = entry;
    const listed = this.#listed.get(entry.id);
    if (listed) {
      this.#listed.delete(entry.id);
      this.#compare(entry, listed);
    } else if (number !== undefined && seal !== undefined && Number.isInteger(number)) {
      this.#meetChained({ ...entry, number, seal });
    } else this.#met.set(entry.id, entry);
  }

  meetBlock({ first, entries, seal }: SealRecord): void {
    this.links.meet({
      first,
      last: first + entries.length - 1,
      seal,
      sealAfter: (before) => this.#seals.ofEntries(before, first, entries),
      fault: { number: first, kind: 'changed' },
    });
    for (const [index, [id, mac]] of entries.entries()) {
      const entry = this.#met.get(id);
      const listed = { number: first + index, mac };
      this.#met.delete(id);
      if (entry) this.#compare(entry, listed);
      else if (first <= this.#last) this.#listed.set(id, listed);
    }
  }

  /** Adds entries that were written, or got their number in the chain, during the walk. */
  meetLater(waiting: readonly ToSealRecord[], blocks: readonly SealRecord[]): void {
    for (const { id, mac } of waiting) this.#waitingMacs.set(id, mac);
    for (const { entries } of blocks) for (const [id, mac] of entries) this.#waitingMacs.set(id, mac);
  }

  finish(last: number): void {
    this.links.finish(last);
    for (const entry of this.#met.values()) {
      const mac = this.#waitingMacs.get(entry.id);
      if (mac === undefined) this.unsealed += 1;
      else this.waiting += 1;
      if (mac !== undefined && mac !== this.#seals.macOf(entry))
        this.#blame({ kind: 'changed', id: entry.id, entry });
    }
    for (const [id, { number }] of this.#listed) this.#blame({ number, kind: 'missing', id });
    for (const id of this.#unmet) this.#blame({ kind: 'missing', id });
  }

  /** An entry of an earlier version, which carries its number and its seal itself. */
  #meetChained(chained: AuditRecord & { number: number; seal: string }): void {
    const { seal, ...entry } = chained;
    this.sealed += 1;
    this.links.meet({
      first: entry.number,
      last: entry.number,
      seal,
      sealAfter: (before) => this.#seals.ofEntry(before, entry),
      fault: { number: entry.number, kind: 'changed', entry: chained },
    });
  }

  #compare(entry: AuditRecord, { number, mac }: { number: number; mac: string }): void {
    this.sealed += 1;
    if (mac !== this.#seals.macOf(entry)) this.#blame({ number, kind: 'changed', id: entry.id, entry });
  }

  #blame(fault: TrailFault): void {
    const name = fault.number === undefined ? `id ${fault.id}` : String(fault.number);
    if (!this.faults.has(name)) this.faults.set(name, fault);
  }
}
