import { LEAST_WRITE_MS } from './tuning.ts';

/**
 * How many writes wait for the one under way. The event loop counts them, and a thread looks between two rows: a long
 * write ends early while others wait, and runs at full length while none does.
 */
export class WaitingWrites {
  readonly shared: Int32Array<SharedArrayBuffer>;

  constructor(shared = new Int32Array(new SharedArrayBuffer(4))) {
    this.shared = shared;
  }

  /** Counts the caller until `start` is called. */
  wait(): { start: () => void } {
    Atomics.add(this.shared, 0, 1);
    return { start: () => void Atomics.sub(this.shared, 0, 1) };
  }

  get areThere(): boolean {
    return Atomics.load(this.shared, 0) > 0;
  }
}

/** Those of the store that this thread works for. */
let ofThread = new WaitingWrites();

export function setWaitingWrites(shared: Int32Array<SharedArrayBuffer>): void {
  ofThread = new WaitingWrites(shared);
}

/** Repeats the piece until it returns false, `most` times, or for 3 ms when other writes wait; returns false when the first piece did. */
export function inPieces(most: number, piece: () => boolean): boolean {
  const isEnough = endsForOthers();
  let done = 0;
  while (done < most && !(done > 0 && isEnough()) && piece()) done += 1;
  return done > 0;
}

/** Returns a function that says whether the write that begins now should end for others. */
export function endsForOthers(): () => boolean {
  const began = performance.now();
  return () => ofThread.areThere && performance.now() - began >= LEAST_WRITE_MS;
}
