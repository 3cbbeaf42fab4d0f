import type { ClientSession, Collection, Db, Document, MongoClient } from 'mongodb';
import { UnavailableError } from '../../errors.ts';
import { Pulse, silence } from '../shared/circuit-breaker.ts';
import { Gate } from '../shared/semaphore.ts';
import { fromMongo } from './driver-errors.ts';
import type { Counter, Day, Head, Lease, NounShape, Op, Staged, State } from './shapes.ts';

const GATE_LIMIT_MS = 1_500;
const ASK_MS = 1_000;

/** How many of them may ask the server at once. */
export const SEARCHES = 8;
export const STREAMS = 8;

export interface Part {
  _id: string;
  mark: number;
  n: number;
  ops: Op[];
}

/** The collections of one database; `run` gives the store's own errors to whatever is done with them. */
export class Database {
  readonly client: MongoClient;
  readonly db: Db;
  /** Only then can several documents change in one step of the server. */
  readonly isReplicaSet: boolean;
  /** Reads of this process wait here while one of its units is being applied. */
  gate: Promise<unknown> | undefined;
  readonly pulse = new Pulse();
  readonly #searches = new Gate(SEARCHES);
  readonly #streams = new Gate(STREAMS);
  /** On a connection of its own: those of the client may all be busy while the database is well. */
  readonly #asker: MongoClient;
  #isClosed = false;

  constructor(client: MongoClient, asker: MongoClient, name: string, isReplicaSet: boolean) {
    this.client = client;
    this.#asker = asker;
    this.db = client.db(name);
    this.isReplicaSet = isReplicaSet;
    this.pulse.start(() => asker.db(name).command({ ping: 1 }, { timeoutMS: ASK_MS }));
  }

  get head(): Collection<Head> {
    return this.db.collection<Head>('head');
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

  get imports(): Collection<Lease> {
    return this.db.collection<Lease>('granule_imports');
  }

  get staged(): Collection<Staged> {
    return this.db.collection<Staged>('granule_staged');
  }

  get purges(): Collection<{ _id: string }> {
    return this.db.collection<{ _id: string }>('granule_purges');
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
      this.pulse.heard();
      return result;
    } catch (error) {
      this.requireOpen();
      throw fromMongo(error);
    }
  }

  /** Outside units: never in the middle of one that this process applies. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    return await this.run(() => this.#readAlone(work));
  }

  /** A read that may take long. */
  async search<T>(work: () => Promise<T>): Promise<T> {
    return await this.run(() => this.#searches.run(() => this.#readAlone(work)));
  }

  /** The next part of a stream, which may outlast a silence. */
  async fetch<T>(work: () => Promise<T>): Promise<T> {
    return await this.run(() => this.#streams.run(work));
  }

  async #readAlone<T>(work: () => Promise<T>): Promise<T> {
    return await this.unlessSilent(async () => {
      if (this.gate) await withinLimit(this.gate);
      return await work();
    });
  }

  /** The work itself can't be stopped; but nobody waits for it. */
  async unlessSilent<T>(work: () => Promise<T>, giveUp: () => void = () => undefined): Promise<T> {
    this.pulse.requireAnswers();
    const { promise, reject } = Promise.withResolvers<never>();
    const cut = () => {
      giveUp();
      reject(silence());
    };
    this.pulse.begin(cut);
    try {
      return await Promise.race([work(), promise]);
    } finally {
      this.pulse.end(cut);
    }
  }

  requireOpen(): void {
    if (this.#isClosed) throw new UnavailableError('The store is closed.');
  }

  /** All of the work in one step of the server; it may be run again after a collision. */
  async inTransaction(work: (session: ClientSession) => Promise<void>): Promise<void> {
    await this.client.withSession(async (session) => {
      for (let tries = 1; ; tries += 1) {
        session.startTransaction({ writeConcern: { w: 'majority', j: true } });
        try {
          await work(session);
          await session.commitTransaction();
          return;
        } catch (error) {
          if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
          if (!isTransient(error) || tries === 3) throw error;
        }
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.pulse.stop();
    await Promise.all([this.client.close(), this.#asker.close()]);
  }
}

/** Nobody waits longer than this for a database that does not answer. */
async function withinLimit(gate: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      reject(new UnavailableError('The database does not answer; check that it runs and can be reached.')),
    GATE_LIMIT_MS,
  );
  try {
    await Promise.race([gate, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function isTransient(error: unknown): boolean {
  const labelled = error as { hasErrorLabel?: (label: string) => boolean };
  return labelled.hasErrorLabel?.('TransientTransactionError') ?? false;
}
