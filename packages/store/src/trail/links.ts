import type { AuditRecord } from '../nouns/audit.ts';
import type { TrailRecord } from '../nouns/trail.ts';
import type { Seals } from './seals.ts';

export interface TrailFault {
  /** The number in the chain; an entry that is not sealed yet has none. */
  number?: number;
  /** `end`: the end was moved. */
  kind: 'changed' | 'missing' | 'end';
  id?: string;
  /** The entry in question, where there is one. */
  entry?: AuditRecord;
}

/** The entries under one seal: those of a block, or one entry of an earlier version. */
interface Link {
  first: number;
  last: number;
  seal: string;
  /** The seal that it must have after the one before it. */
  sealAfter(before: string): string;
  fault: TrailFault;
}

/** The links of the chain in whichever order they are met: a link waits for the one before it. */
export class Links {
  readonly #seals: Seals;
  readonly #blame: (fault: TrailFault) => void;
  /** Links with higher numbers were written after the check began. */
  readonly #last: number;
  /** Seals by their last number, whose next link has not been met. */
  readonly #open = new Map<number, string>();
  /** Links by the number before them, whose link has not been met. */
  readonly #waiting = new Map<number, Link>();
  #lastSeal: string | undefined;
  #highest = 0;

  constructor(seals: Seals, last: number, blame: (fault: TrailFault) => void) {
    this.#seals = seals;
    this.#last = last;
    this.#blame = blame;
  }

  meet(link: Link): void {
    const { first, last, seal } = link;
    this.#highest = Math.max(this.#highest, last);
    if (last === this.#last) this.#lastSeal = seal;
    const next = this.#waiting.get(last);
    if (next) this.#check(next, seal);
    else this.#open.set(last, seal);
    this.#waiting.delete(last);
    const before = this.#open.get(first - 1);
    this.#open.delete(first - 1);
    if (before !== undefined) this.#check(link, before);
    else if (this.#waiting.has(first - 1)) this.#blame(link.fault);
    else this.#waiting.set(first - 1, link);
  }

  meetEnd(end: Pick<TrailRecord, 'number' | 'lastSeal' | 'seal'> | undefined): void {
    if (!end) return;
    const { number, lastSeal, seal } = end;
    if (seal !== this.#seals.ofEnd(number, lastSeal)) this.#blame({ number, kind: 'end' });
    else if (this.#lastSeal === undefined) this.#blame({ number, kind: 'missing' });
    else if (this.#lastSeal !== lastSeal) this.#blame({ number, kind: 'changed' });
  }

  /** Reports links without a neighbour; `last` is the highest number that there can be by now. */
  finish(last: number): void {
    if (this.#highest > last) this.#blame({ number: this.#highest, kind: 'end' });
    for (const number of this.#open.keys())
      if (number < this.#last) this.#blame({ number: number + 1, kind: 'missing' });
    for (const [before, link] of this.#waiting) {
      if (before === 0) this.#check(link, '');
      else if (link.last <= this.#last) this.#blame({ number: before, kind: 'missing' });
    }
  }

  #check(link: Link, before: string): void {
    if (link.seal !== link.sealAfter(before)) this.#blame(link.fault);
  }
}
