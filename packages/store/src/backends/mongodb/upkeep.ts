import { FIELD_INDEX_UNUSED_MS } from '../shared/tuning.ts';
import type { Database } from './database.ts';
import { dropFieldIndexes } from './granules/field-indexes.ts';
import { ImportLeases, sweepImport } from './granules/lease.ts';
import { JOURNAL_WATCH_MS, UPKEEP_MS } from './tuning.ts';
import type { Writer } from './writer.ts';

/** Background maintenance: frees the space of purged kapsules and cleans up after dead imports and instances. */
export class Upkeep {
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #changeSchema: () => Promise<void>;
  readonly #leases = new ImportLeases();
  readonly #timers: NodeJS.Timeout[];
  #working: Promise<unknown> = Promise.resolve();
  #isBusy = false;

  /** `changeSchema` makes the changes that were pending while another version was there. */
  constructor(database: Database, writer: Writer, changeSchema: () => Promise<void>) {
    this.#database = database;
    this.#writer = writer;
    this.#changeSchema = changeSchema;
    this.#timers = [
      setInterval(() => this.soon(), UPKEEP_MS).unref(),
      setInterval(() => this.#start(() => this.#watch()), JOURNAL_WATCH_MS).unref(),
    ];
  }

  soon(): void {
    this.#start(() => this.#tidy());
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#working;
  }

  #start(work: () => Promise<void>): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // Nothing is lost when it fails: the next round finds the same.
    this.#working = this.#database
      .run(work)
      .catch(() => undefined)
      .finally(() => {
        this.#isBusy = false;
      });
  }

  async #watch(): Promise<void> {
    const head = await this.#database.head.findOne({ _id: 'head' }, { projection: { journal: 0 } });
    // A living holder applies its unit within milliseconds; waiting for the lease detects a dead one.
    if (head && head.applied < head.mark) await this.#writer.recover();
    await this.#changeSchema();
  }

  async #tidy(): Promise<void> {
    await dropFieldIndexes(this.#database, { usedAt: { $lt: Date.now() - FIELD_INDEX_UNUSED_MS } });
    for (const { _id: k } of await this.#database.purges.find().toArray()) {
      await this.#database.states.deleteMany({ k });
      await dropFieldIndexes(this.#database, { k });
      await this.#database.staged.deleteMany({ k });
      await this.#database.days.deleteMany({ k });
      await this.#database.purges.deleteOne({ _id: k });
    }
    for (const expired of await this.#database.imports.find().toArray()) {
      if (!this.#leases.isExpired(expired)) continue;
      const { _id: k, name } = expired;
      await this.#writer.write((_, lease) => sweepImport(this.#database, lease, k, name), true);
    }
  }
}
