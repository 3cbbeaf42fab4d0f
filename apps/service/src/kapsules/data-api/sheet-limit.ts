import type { Caller, ExtensionCaller } from '../../base/call/call.ts';
import { MINUTE_MS } from '../../base/time/durations.ts';
import { RateLimit } from '../../http/limits/rate-limit.ts';

/** Several times what a person does: each edited cell is a save, each screen and each shown history a read. */
const rules = {
  saves: [{ count: 300, perMs: MINUTE_MS }],
  reads: [{ count: 1_200, perMs: MINUTE_MS }],
};
const MESSAGE = 'Too many requests of one person. Please wait.';

const isOnSheet = (caller: Caller) => (caller as Partial<ExtensionCaller>).extension !== undefined;

/** Limits what one person does with tokens of the extension, over all their pages. Servers have API keys. */
export class SheetLimit {
  readonly #saves: RateLimit;
  readonly #reads: RateLimit;

  constructor(now: () => number) {
    this.#saves = new RateLimit(rules.saves, now);
    this.#reads = new RateLimit(rules.reads, now);
  }

  save(caller: Caller): void {
    if (isOnSheet(caller)) this.#saves.consume(caller.userId, MESSAGE);
  }

  read(caller: Caller): void {
    if (isOnSheet(caller)) this.#reads.consume(caller.userId, MESSAGE);
  }
}
