import type { AuditRecord } from '../nouns/audit.ts';
import type { TrailRecord } from '../nouns/trail.ts';
import type { Store } from '../store.ts';
import { documentsOf } from '../transfer-compare.ts';
import { END, Seals, type TrailSecret } from './seals.ts';

export interface TrailFault {
  number: number;
  /** `end`: the end was moved. */
  kind: 'changed' | 'missing' | 'end';
  /** The entry in question, where there is one. */
  entry?: AuditRecord;
}

export interface TrailReport {
  /** How many entries the chain has. */
  sealed: number;
  /** How many have no seal, so that nothing is proved of them. */
  unsealed: number;
  /** Oldest first. */
  faults: TrailFault[];
}

type Chained = AuditRecord & { number: number; seal: string };

/**
 * Checks the whole trail, newest first, while other units write. Ids of several instances are not exactly in the
 * order of the chain, so an entry waits for the one before it.
 */
export async function checkTrail(store: Store, secret: TrailSecret): Promise<TrailReport> {
  const end = await store.trail.get(END);
  const walk = new Walk(new Seals(secret), end?.number ?? 0);
  for await (const page of documentsOf(store, 'audit'))
    for (const entry of page as AuditRecord[]) walk.meet(entry);
  walk.meetEnd(end);
  walk.finish((await store.trail.get(END))?.number ?? 0);
  const faults = [...walk.faults.values()].sort((a, b) => a.number - b.number);
  return { sealed: walk.sealed, unsealed: walk.unsealed, faults };
}

class Walk {
  readonly faults = new Map<number, TrailFault>();
  sealed = 0;
  unsealed = 0;
  readonly #seals: Seals;
  /** Entries with higher numbers were written after the walk began. */
  readonly #last: number;
  /** Seals whose next entry has not been met. */
  readonly #open = new Map<number, string>();
  /** Entries by the number of the one before, which has not been met. */
  readonly #waiting = new Map<number, Chained>();
  #lastSeal: string | undefined;
  #highest = 0;

  constructor(seals: Seals, last: number) {
    this.#seals = seals;
    this.#last = last;
  }

  meet(entry: AuditRecord): void {
    if (!isChained(entry)) {
      this.unsealed += 1;
      return;
    }
    const { number, seal } = entry;
    this.sealed += 1;
    this.#highest = Math.max(this.#highest, number);
    if (number === this.#last) this.#lastSeal = seal;
    const next = this.#waiting.get(number);
    if (next) this.#check(next, seal);
    else this.#open.set(number, seal);
    this.#waiting.delete(number);
    const before = this.#open.get(number - 1);
    this.#open.delete(number - 1);
    if (before !== undefined) this.#check(entry, before);
    else if (this.#waiting.has(number - 1)) this.#blame({ number, kind: 'changed', entry });
    else this.#waiting.set(number - 1, entry);
  }

  meetEnd(end: Pick<TrailRecord, 'number' | 'lastSeal' | 'seal'> | undefined): void {
    if (!end) return;
    const { number, lastSeal, seal } = end;
    if (seal !== this.#seals.ofEnd(number, lastSeal)) this.#blame({ number, kind: 'end' });
    else if (this.#lastSeal === undefined) this.#blame({ number, kind: 'missing' });
    else if (this.#lastSeal !== lastSeal) this.#blame({ number, kind: 'changed' });
  }

  /** What has found no neighbour; `last` is the highest number that there can be by now. */
  finish(last: number): void {
    if (this.#highest > last) this.#blame({ number: this.#highest, kind: 'end' });
    for (const number of this.#open.keys())
      if (number < this.#last) this.#blame({ number: number + 1, kind: 'missing' });
    for (const [before, entry] of this.#waiting) {
      if (before === 0) this.#check(entry, '');
      else if (entry.number <= this.#last) this.#blame({ number: before, kind: 'missing' });
    }
  }

  #check(chained: Chained, before: string): void {
    const { seal, ...entry } = chained;
    if (seal === this.#seals.ofEntry(before, entry)) return;
    this.#blame({ number: entry.number, kind: 'changed', entry: chained });
  }

  #blame(fault: TrailFault): void {
    if (!this.faults.has(fault.number)) this.faults.set(fault.number, fault);
  }
}

function isChained(entry: AuditRecord): entry is Chained {
  return Number.isInteger(entry.number) && typeof entry.seal === 'string';
}
