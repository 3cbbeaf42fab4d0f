import type { DataSourceType } from '@kaptain/contract';
import type { DataSource, RowRecord, RowWrites } from '@kaptain/data-sources';
import type { GranuleRecord, Granules, GranuleWrites, KapsuleRecord, Store } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { bindingOf, type DataSources } from './data-sources.ts';

const SOURCE_ID = /^([0-9a-f]{24})\.([0-9a-f]{24,32})$/;

/** The kapsule id in the id of a granule in a data source: calls that delete name only granules. */
export const kapsuleIdIn = (granuleId: string): string | undefined => SOURCE_ID.exec(granuleId)?.[1];

/** The id of the row in its table, the same through every kapsule that is bound to it. */
export const rowIdIn = (granuleId: string): string => SOURCE_ID.exec(granuleId)?.[2] ?? granuleId;

/** Wraps an AppError inside a transaction of a data source, so that its code is not taken for a driver's. */
class Refusal extends Error {
  readonly reason: AppError;
  constructor(reason: AppError) {
    super(reason.message);
    this.reason = reason;
  }
}

const asRefusal = (error: unknown): never => {
  throw error instanceof AppError ? new Refusal(error) : error;
};
const refused = (error: unknown): never => {
  throw error instanceof Refusal ? error.reason : error;
};

/** The granules of one kapsule in its data source, with the interface of the store's granules. */
export class SourceGranules implements Granules {
  readonly #kapsule: KapsuleRecord;
  readonly #sources: DataSources;
  readonly #store: Store;
  readonly #prefix: string;
  /** The import that runs: another connection than its own would wait for its locks. */
  #importing: RowWrites | undefined;

  constructor(kapsule: KapsuleRecord, sources: DataSources, store: Store) {
    this.#kapsule = kapsule;
    this.#sources = sources;
    this.#store = store;
    this.#prefix = `${kapsule.id}.`;
  }

  async #ask<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
    return work(await this.#sources.get(this.#kapsule.database as DataSourceType));
  }

  get #binding() {
    return bindingOf(this.#kapsule);
  }

  #rowIds(ids: readonly string[]): string[] {
    return ids.filter((id) => id.startsWith(this.#prefix)).map((id) => id.slice(this.#prefix.length));
  }

  #granuleIds(rowIds: readonly string[]): string[] {
    return rowIds.map((id) => this.#prefix + id);
  }

  #granule(row: RowRecord): GranuleRecord {
    return { ...row, id: this.#prefix + row.id, kapsuleId: this.#kapsule.id };
  }

  page: Granules['page'] = async (_, query) => {
    const { rows, ...totals } = await this.#ask((source) => source.page(this.#binding, query));
    return { ...totals, rows: rows.map((row) => this.#granule(row)) };
  };

  lookup: Granules['lookup'] = async (_, keys) => {
    const rows = this.#importing
      ? await this.#importing.lookup(keys)
      : await this.#ask((source) => source.lookup(this.#binding, keys));
    return rows.map((row) => row && this.#granule(row));
  };

  get: Granules['get'] = async (id) => {
    const [rowId] = this.#rowIds([id]);
    if (rowId === undefined) return undefined;
    const row = await this.#ask((source) => source.get(this.#binding, rowId));
    return row && this.#granule(row);
  };

  kapsulesOf: Granules['kapsulesOf'] = async (ids) =>
    new Map(ids.filter((id) => id.startsWith(this.#prefix)).map((id) => [id, this.#kapsule.id]));

  counts: Granules['counts'] = () => this.#ask((source) => source.counts(this.#binding));

  countsOfAll: Granules['countsOfAll'] = async () => new Map([[this.#kapsule.id, await this.counts('')]]);

  history: Granules['history'] = async (id, before) => {
    const [rowId] = this.#rowIds([id]);
    return rowId === undefined ? [] : this.#ask((source) => source.history(this.#binding, rowId, before));
  };

  changesPerDay: Granules['changesPerDay'] = (_, days) =>
    this.#ask((source) => source.changesPerDay(this.#binding, days));

  watermark: Granules['watermark'] = () => this.#ask((source) => source.watermark(this.#binding));

  deletedSince: Granules['deletedSince'] = (_, watermark) =>
    this.#ask((source) => source.deletedSince(this.#binding, watermark));

  async *stream(_: string, filter: Parameters<Granules['stream']>[1]): AsyncGenerator<Uint8Array> {
    const source = await this.#sources.get(this.#kapsule.database as DataSourceType);
    for await (const lines of source.stream(this.#binding, filter))
      yield Buffer.from(lines.replaceAll(/^\{"_id":"/gm, `{"_id":"${this.#prefix}`));
  }

  onChange: Granules['onChange'] = (listener) =>
    this.#sources.changes.subscribe(
      this.#kapsule.id,
      // Polling would keep a Snowflake warehouse running, which is billed by the second.
      async () =>
        this.#kapsule.database === 'snowflake'
          ? undefined
          : this.#ask((source) => source.lastChange(this.#binding)),
      listener,
    );

  /**
   * One transaction of the data source. What `work` writes into the store is committed at its end, before the data source
   * commits: every change has its audit entry; when the data source's commit fails, there is an entry without a change.
   */
  async change<T>(work: (writes: GranuleWrites) => Promise<T>): Promise<T> {
    return SourceGranules.changeAll([this], ([writes]) => work(writes as GranuleWrites));
  }

  /** The same for several kapsules of one data source, on one connection: calls with several would wait for each other's. */
  static async changeAll<T>(
    all: readonly [SourceGranules, ...SourceGranules[]],
    work: (writes: readonly GranuleWrites[]) => Promise<T>,
  ): Promise<T> {
    const granules = (writes: readonly RowWrites[]) =>
      all.map((source, index) => source.#writes(writes[index] as RowWrites));
    const result = await all[0]
      .#ask((source) =>
        source.transactionOn(
          all.map((each) => each.#binding),
          (writes) => work(granules(writes)).catch(asRefusal),
        ),
      )
      .catch(refused);
    for (const { id } of all.map((source) => source.#kapsule)) void all[0].#sources.changes.notify(id);
    return result;
  }

  /** `once`: rows that are read from a file can't be read again for a retry. */
  async #transaction<T>(work: (writes: RowWrites) => Promise<T>, once = false): Promise<T> {
    const result = await this.#ask((source) =>
      source.transaction(this.#binding, (writes) => work(writes).catch(asRefusal), once),
    ).catch(refused);
    void this.#sources.changes.notify(this.#kapsule.id);
    return result;
  }

  #writes(writes: RowWrites): GranuleWrites {
    return {
      upsert: async (_, rows) =>
        (await writes.upsert(rows)).map(({ id, ...stored }) => ({ ...stored, id: this.#prefix + id })),
      removeMany: async (ids, by) => this.#granuleIds(await writes.removeMany(this.#rowIds(ids), by)),
      restoreMany: async (ids, by) => this.#granuleIds(await writes.restoreMany(this.#rowIds(ids), by)),
      markReloaded: (_, watermark) => writes.markReloaded(watermark),
      purgeKapsule: async () => undefined,
    };
  }

  upsert: Granules['upsert'] = (id, rows) => this.change((writes) => writes.upsert(id, rows));
  removeMany: Granules['removeMany'] = (ids, by) => this.change((writes) => writes.removeMany(ids, by));
  restoreMany: Granules['restoreMany'] = (ids, by) => this.change((writes) => writes.restoreMany(ids, by));
  markReloaded: Granules['markReloaded'] = (id, watermark) =>
    this.change((writes) => writes.markReloaded(id, watermark));
  /** The rows stay in the customer's table, unless the table itself is dropped. */
  purgeKapsule: Granules['purgeKapsule'] = async () => undefined;

  bulkUpsert: Granules['bulkUpsert'] = async (_, rows) => {
    const stored = await this.#ask((source) => source.bulkUpsert(this.#binding, rows));
    void this.#sources.changes.notify(this.#kapsule.id);
    return stored;
  };

  importAll: Granules['importAll'] = async (_, rows, audit) =>
    this.#transaction(async (writes) => {
      this.#importing = writes;
      const count = await writes.upsertAll(rows).finally(() => {
        this.#importing = undefined;
      });
      await this.#store.transaction((unit) => audit(unit, count));
      return count;
    }, true);
}
