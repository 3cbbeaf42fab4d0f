import type { Binary, ClientSession, Collection, Db, Document, MongoClient } from 'mongodb';
import { UnavailableError } from '../../errors.ts';
import { Semaphore } from '../../semaphore.ts';
import type { PoolUse } from '../../store.ts';
import { CircuitBreaker, noAnswer } from '../shared/circuit-breaker.ts';
import { declaredIndexes } from '../shared/upgrades/declared-indexes.ts';
import { Schema } from '../shared/upgrades/schema.ts';
import { fromMongo, isTransient } from './driver-errors.ts';
import { ReadBarrier } from './read-barrier.ts';
import type {
  Counter,
  Day,
  FieldEntry,
  FieldIndex,
  Head,
  ImportLease,
  Instance,
  NounShape,
  Op,
  SchemaRecord,
  Staged,
  State,
} from './shapes.ts';
import { PROBE_LIMIT_MS, SEARCH_CONNECTIONS, STREAM_CONNECTIONS } from './tuning.ts';

interface Part {
  _id: string;
  mark: number;
  n: number;
  ops: Op[];
}

interface DatabaseParts {
  client: MongoClient;
  prober: MongoClient;
  name: string;
  isReplicaSet: boolean;
  silenceMs: number;
}

/** The collections of one database; `run` gives the store's own errors to whatever is done with them. */
export class Database {
  readonly client: MongoClient;
  readonly db: Db;
  /** Only then can several documents change in one step of the server. */
  readonly isReplicaSet: boolean;
  /** Reads of this process wait while one of its units is applied, or is applied in part. */
  readonly readBarrier: ReadBarrier;
  readonly breaker: CircuitBreaker;
  readonly schema = new Schema(declaredIndexes());
  /** The revision of the active schema that this process has read. */
  schemaRevision = 0;
  readonly #searches = new Semaphore(SEARCH_CONNECTIONS);
  readonly #streams = new Semaphore(STREAM_CONNECTIONS);
  /** A client for health probes alone: all connections of the other one may be busy on a healthy database. */
  readonly #prober: MongoClient;
  #isClosed = false;

  constructor({ client, prober, name, isReplicaSet, silenceMs }: DatabaseParts) {
    this.breaker = new CircuitBreaker(silenceMs);
    this.readBarrier = new ReadBarrier(silenceMs);
    this.client = client;
    this.#prober = prober;
    this.db = client.db(name);
    this.isReplicaSet = isReplicaSet;
    this.breaker.start(() => prober.db(name).command({ ping: 1 }, { timeoutMS: PROBE_LIMIT_MS }));
  }

  get pools(): PoolUse[] {
    return [
      { name: 'searches', ...this.#searches.use },
      { name: 'streams', ...this.#streams.use },
    ];
  }

  get head(): Collection<Head> {
    return this.db.collection<Head>('head');
  }

  get schemaRecord(): Collection<SchemaRecord> {
    return this.db.collection<SchemaRecord>('schema');
  }

  get instances(): Collection<Instance> {
    return this.db.collection<Instance>('instances');
  }

  get journal(): Collection<Part> {
    return this.db.collection<Part>('journal');
  }

  get counters(): Collection<Counter> {
    return this.db.collection<Counter>('granule_counts');
  }

  get states(): Collection<State> {
    return this.db.collection<State>('granules');
  }

  get days(): Collection<Day> {
    return this.db.collection<Day>('granule_days');
  }

  get imports(): Collection<ImportLease> {
    return this.db.collection<ImportLease>('granule_imports');
  }

  get staged(): Collection<Staged> {
    return this.db.collection<Staged>('granule_staged');
  }

  get purges(): Collection<{ _id: string }> {
    return this.db.collection<{ _id: string }>('granule_purges');
  }

  get fieldIndexes(): Collection<FieldIndex> {
    return this.db.collection<FieldIndex>('granule_field_indexes');
  }

  get fieldEntries(): Collection<FieldEntry> {
    return this.db.collection<FieldEntry>('granule_fields');
  }

  noun(name: string): Collection<NounShape> {
    return this.db.collection<NounShape>(name);
  }

  any(name: string): Collection<Document & { _id: string }> {
    return this.db.collection<Document & { _id: string }>(name);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.requireOpen();
    try {
      const result = await work();
      this.breaker.recordAnswer();
      return result;
    } catch (error) {
      this.requireOpen();
      throw fromMongo(error);
    }
  }

  /** A read outside units; it waits while a unit of this process is applied. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    return await this.run(() => this.#readAlone(work));
  }

  /** A read that may take long. */
  async search<T>(work: () => Promise<T>): Promise<T> {
    return await this.run(() => this.#searches.run(() => this.#readAlone(work)));
  }

  /** The next part of a stream; it may wait longer than the circuit breaker allows. */
  async fetch<T>(work: () => Promise<T>): Promise<T> {
    return await this.run(() => this.#streams.run(work));
  }

  async #readAlone<T>(work: () => Promise<T>): Promise<T> {
    return await this.whileAnswering(async () => {
      await this.readBarrier.passed();
      return await work();
    });
  }

  /** Rejects when the circuit breaker opens; the driver can't abort the work itself, so it goes on unobserved. */
  async whileAnswering<T>(work: () => Promise<T>, giveUp: () => void = () => undefined): Promise<T> {
    this.breaker.requireClosed();
    const { promise, reject } = Promise.withResolvers<never>();
    const cut = () => {
      giveUp();
      reject(noAnswer());
    };
    this.breaker.beginWait(cut);
    try {
      return await Promise.race([work(), promise]);
    } finally {
      this.breaker.endWait(cut);
    }
  }

  requireOpen(): void {
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
  }

  /** Runs the work in a transaction of the server; after a transient error it runs again. */
  async inTransaction(session: ClientSession, work: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      session.startTransaction({ writeConcern: { w: 'majority', j: true } });
      try {
        await work();
        await session.commitTransaction();
        return;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        if (!isTransient(error) || tries === 3) throw error;
      }
    }
  }

  /**
   * Aborts the transaction of an instance that has died or lost its connection. The server itself keeps it open for a minute,
   * and until then refuses every write to the same documents.
   */
  async abortTransactionOf(session: Binary | undefined): Promise<void> {
    if (!this.isReplicaSet || !session) return;
    // Without the right to do so, writes fail until the server aborts it.
    await this.db.command({ killSessions: [{ id: session }] }).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.breaker.stop();
    await Promise.all([this.client.close(), this.#prober.close()]);
  }
}
