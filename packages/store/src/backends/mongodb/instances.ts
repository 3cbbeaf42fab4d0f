import { newId } from '../../ids.ts';
import { declaredIndexes } from '../shared/upgrades/declared-indexes.ts';
import { schemaNumber } from '../shared/upgrades/schema.ts';
import type { Database } from './database.ts';
import { BEAT_MS, INSTANCE_GONE_MS } from './tuning.ts';
import { steps } from './upgrades/steps.ts';

/** The instances on one database: each has a document that says which schema it wants, and counts up while it lives. */
export class Instances {
  readonly #database: Database;
  readonly #id = newId();
  readonly #schema: number;
  readonly #seen = new Map<string, { beat: number; at: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database, knownSteps = steps.length) {
    this.#database = database;
    this.#schema = schemaNumber(knownSteps, declaredIndexes());
  }

  async announce(): Promise<void> {
    await this.#beat();
    // A beat that fails is followed by the next one; after an outage the document may have been removed.
    this.#timer = setInterval(() => void this.#beat().catch(() => undefined), BEAT_MS).unref();
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#database.instances.deleteOne({ _id: this.#id }).catch(() => undefined);
  }

  async isOtherVersionThere(): Promise<boolean> {
    const others = await this.#database.instances.find({ schema: { $ne: this.#schema } }).toArray();
    const now = performance.now();
    const living = others.filter(({ _id, beat }) => {
      const seen = this.#seen.get(_id);
      if (seen?.beat !== beat) this.#seen.set(_id, { beat, at: now });
      return seen?.beat !== beat || now - seen.at < INSTANCE_GONE_MS;
    });
    const gone = others.filter((one) => !living.includes(one)).map(({ _id }) => _id);
    if (gone.length > 0) await this.#database.instances.deleteMany({ _id: { $in: gone } });
    return living.length > 0;
  }

  async #beat(): Promise<void> {
    await this.#database.instances.updateOne(
      { _id: this.#id },
      { $set: { schema: this.#schema }, $inc: { beat: 1 } },
      { upsert: true },
    );
  }
}
