import { fieldsTest, sortValueOf } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '../../../granules.ts';
import { TimeSlice } from '../../../time-slice.ts';
import { ScanBudget } from '../../shared/scan-budget.ts';
import { comparatorOf, pageOfEntries, type SortedEntry, skippedFor } from '../../shared/sorted-entries.ts';
import type { Database } from '../database.ts';
import type { Counter, FieldEntry, FieldIndex } from '../shapes.ts';
import { FIELD_BATCH_ENTRIES } from '../tuning.ts';
import { changedSince, partsOf } from './field-indexes.ts';
import type { Hits } from './scan.ts';
import { select } from './selection.ts';

type Entry = SortedEntry<string>;
const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>;

/** A page in the order of a field, along its index; granules that have changed since are sorted in. */
export async function idsAlongField(
  database: Database,
  counter: Counter,
  query: GranulePageQuery,
  index: FieldIndex,
): Promise<Hits> {
  const walk = new Walk(database, counter, query, index);
  return walk.page();
}

class Walk {
  readonly #database: Database;
  readonly #counter: Counter;
  readonly #query: GranulePageQuery;
  readonly #index: FieldIndex;
  readonly #isWanted: (data: Record<string, unknown>) => boolean;
  readonly #budget = new ScanBudget();
  #isSpent = false;

  constructor(database: Database, counter: Counter, query: GranulePageQuery, index: FieldIndex) {
    this.#database = database;
    this.#counter = counter;
    this.#query = query;
    this.#index = index;
    this.#isWanted = fieldsTest(query.where ?? []);
  }

  async page(): Promise<Hits> {
    const { offset, limit, where = [] } = this.#query;
    const { filter, total } = select(this.#counter, this.#query);
    const { all, wanted: changed } = await this.#changed();
    // Entries of deleted granules stay in the index: with them no entry can be skipped unseen.
    const isCounted = total !== undefined && where.length === 0 && this.#counter.deleted === 0;
    const skipped = isCounted && filter.change === undefined ? skippedFor(offset, changed) : 0;
    const entries = await this.#entries(all, skipped, offset - skipped + limit + 1);
    const ids = pageOfEntries(entries, changed, this.#query, skipped);
    const found = entries.length + changed.length;
    const isEnd = entries.length <= offset - skipped + limit && !this.#isSpent;
    const isKnown = total !== undefined && where.length === 0;
    return {
      ids,
      total: isKnown ? total : found,
      totalIsExact: isKnown || isEnd,
      isPartial: this.#isSpent,
    };
  }

  /** Granules that have changed since the index knew them: all, and those that match, in order. */
  async #changed(): Promise<{ all: string[]; wanted: Entry[] }> {
    const { filter } = select(this.#counter, this.#query);
    const since = changedSince(this.#counter, this.#index);
    const projection = { projection: { _id: 0, id: 1, data: 1 } };
    const all = await this.#database.states.find(since, { projection: { _id: 0, id: 1 } }).toArray();
    const rows = await this.#database.states.find({ $and: [filter, since] }, projection).toArray();
    const wanted = rows.flatMap(({ id, data }): Entry[] => {
      const values = parsed(data);
      return this.#isWanted(values) ? [{ row: id, value: sortValueOf(this.#index, values) }] : [];
    });
    return { all: all.map(({ id }) => id), wanted: wanted.sort(comparatorOf(this.#query.descending)) };
  }

  /** Entries of granules that match, from the skipped ones on. */
  async #entries(changed: readonly string[], skipped: number, wanted: number): Promise<Entry[]> {
    const direction = this.#query.descending ? -1 : 1;
    const left = changed.length === 0 ? {} : { id: { $nin: [...changed] } };
    const found: Entry[] = [];
    let skip = skipped;
    // Most often all match: no more are looked up than the page has.
    let size = Math.min(FIELD_BATCH_ENTRIES, wanted);
    for (const part of partsOf(this.#index)) {
      const inPart = { ...part, ...left };
      const inAll = skip === 0 ? 0 : await this.#database.fieldEntries.countDocuments(inPart);
      if (skip > 0 && skip >= inAll) {
        skip -= inAll;
        continue;
      }
      const cursor = this.#database.fieldEntries
        .find(inPart)
        .sort({ v: direction, id: direction })
        .skip(skip)
        .batchSize(FIELD_BATCH_ENTRIES);
      skip = 0;
      for (let batch: FieldEntry[] = []; ; batch = []) {
        while (batch.length < size) {
          const entry = await cursor.next();
          if (!entry) break;
          batch.push(entry);
        }
        found.push(...(await this.#matching(batch)));
        const isMore = batch.length === size && found.length < wanted && !this.#isSpent;
        size = FIELD_BATCH_ENTRIES;
        if (isMore) continue;
        await cursor.close();
        break;
      }
      if (found.length >= wanted || this.#isSpent) break;
    }
    return found.slice(0, wanted);
  }

  /** Those whose granule matches and still has this value. */
  async #matching(batch: readonly FieldEntry[]): Promise<Entry[]> {
    if (batch.length === 0) return [];
    const { filter } = select(this.#counter, this.#query);
    const slice = new TimeSlice();
    const ids = batch.map(({ s }) => s);
    const states = this.#database.states.find(
      { ...filter, _id: { $in: ids } },
      { projection: { _id: 1, ...((this.#query.where ?? []).length > 0 && { data: 1 }) } },
    );
    const matching = new Set<string>();
    for await (const { _id, data } of states) {
      await slice.pause();
      if (data === undefined || this.#isWanted(parsed(data))) matching.add(_id);
    }
    // Entries whose granule does not match took their time too.
    for (const _ of batch) this.#isSpent ||= this.#budget.isSpent();
    return batch
      .filter(({ s }) => matching.has(s))
      .map(({ id, v }) => ({ row: id, value: v === true ? false : v }));
  }
}
