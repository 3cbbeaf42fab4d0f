import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientBase, Pool, type PoolClient } from 'pg';
import { UnavailableError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { Semaphore } from '../../semaphore.ts';
import type { PoolUse } from '../../store.ts';
import { CircuitBreaker } from '../shared/circuit-breaker.ts';
import type { Address } from '../shared/host-list.ts';
import { declaredIndexes } from '../shared/upgrades/declared-indexes.ts';
import { Schema } from '../shared/upgrades/schema.ts';
import { clientConfig, type PostgresOptions } from './config.ts';
import { destroySocket } from './destroy-socket.ts';
import { fromConnecting, fromPostgres, isCollision, isLocked } from './driver-errors.ts';
import { requireReplicated, watchReplication } from './replication.ts';
import { Session } from './session.ts';
import {
  COLLISION_ATTEMPTS,
  DOCUMENT_WRITE_CONNECTIONS,
  GRANULE_WRITE_CONNECTIONS,
  LOCK_MS,
  LOCKED_LIMIT_MS,
  LOCKED_PAUSE_MS,
  LONG_CONNECTIONS,
  READ_CONNECTIONS,
  SAVE_CONNECTIONS,
  STATEMENT_MS,
  UNIT_CONNECTIONS,
} from './tuning.ts';
import { serversOf, writableServer } from './writable-server.ts';

const closed = () => new UnavailableError('The store is closed.');

/** Compiling a statement takes longer than any of ours. */
const UNCOMPILED = 'SET jit = off';

/**
 * Every statement of ours goes by an index. Statistics lag behind when a kapsule has grown by a million rows, and a
 * planner that believes in a small table would read all of it for each row.
 */
export const BY_INDEX = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off';
/** One plan for all values: planning takes longer than most statements. */
const PLANNED_ONCE = 'SET plan_cache_mode = force_generic_plan';
const SETTINGS = [UNCOMPILED, BY_INDEX, PLANNED_ONCE].join('; ');

/** Sorting by an index, because of the same lag. */
export const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_sort = off';

export const BEGIN_GRANULES = `BEGIN; SET LOCAL lock_timeout = '${LOCK_MS}ms'`;

export type Work<T> = (session: Session) => Promise<T>;

/** The pool of connections; its errors are the store's own. */
export class Connections {
  /** The options with only the server in use. */
  options: PostgresOptions;
  readonly #servers: readonly Address[];
  /** Identifies the notifications of this instance. */
  readonly name = newId();
  readonly reads = new Semaphore(READ_CONNECTIONS);
  readonly documentWrites = new Semaphore(DOCUMENT_WRITE_CONNECTIONS);
  readonly granuleWrites = new Semaphore(GRANULE_WRITE_CONNECTIONS);
  readonly units = new Semaphore(UNIT_CONNECTIONS);
  /** Of units that run again because a row was locked: they leave the other connections to units that find theirs free. */
  readonly busyUnits = new Semaphore(1);
  readonly saves = new Semaphore(SAVE_CONNECTIONS);
  readonly long = new Semaphore(LONG_CONNECTIONS);
  readonly breaker: CircuitBreaker;
  readonly schema = new Schema(declaredIndexes());
  /** Set when a newer version has changed what is stored: this instance may not use the database any more. */
  outdated: UnavailableError | undefined;
  #pool: Pool;
  /** Connections of the pool without our settings yet: the first work on each sends them. */
  readonly #opened = new Set<ClientBase>();
  /** Connections of long work, which are cut when the store is closed. */
  readonly #apart = new Set<Client>();
  #closing: Promise<void> | undefined;
  /** There is an index for the search. */
  hasTrigrams = false;

  constructor(options: PostgresOptions) {
    this.#servers = serversOf(options);
    this.options = { ...options, ...this.#servers[0] };
    this.breaker = new CircuitBreaker(options.silenceMs);
    this.#pool = newPool(this.options, this.#opened);
  }

  get #semaphores(): Semaphore[] {
    return [this.reads, this.documentWrites, this.granuleWrites, this.busyUnits, this.units, this.saves];
  }

  get pools(): PoolUse[] {
    return [
      { name: 'reads', ...this.reads.use },
      { name: 'document writes', ...this.documentWrites.use },
      { name: 'granule writes', ...this.granuleWrites.use },
      { name: 'units', ...this.units.use },
      { name: 'saves', ...this.saves.use },
      { name: 'long work', ...this.long.use },
    ];
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** One statement, or several that need not see the same moment. */
  read<T>(work: Work<T>): Promise<T> {
    return this.reads.run(() => this.once(work));
  }

  /** Everything read in the work is of the same moment. */
  snapshot<T>(work: Work<T>): Promise<T> {
    return this.read((session) => inTransaction(session, BEGIN_SNAPSHOT, work));
  }

  /** All of the work or nothing of it; run again when it loses against another transaction, or finds a row locked. */
  async atomically<T>(semaphore: Semaphore, begin: string, work: Work<T>): Promise<T> {
    const deadline = performance.now() + LOCKED_LIMIT_MS;
    for (let collisions = 0; ; ) {
      try {
        return await semaphore.run(() => this.once((session) => inTransaction(session, begin, work)));
      } catch (error) {
        if (isCollision(error) && ++collisions < COLLISION_ATTEMPTS) await sleep(Math.random() * collisions);
        else if (isLocked(error) && performance.now() < deadline) await sleep(LOCKED_PAUSE_MS);
        else throw error;
      }
    }
  }

  /** A connection of its own for work that may take long: it does not outlive the store. */
  async apart<T>(work: Work<T>): Promise<T> {
    const client = await this.connectApart();
    try {
      const result = await work(new Session(client, this.name));
      requireReplicated(client);
      return result;
    } catch (error) {
      throw this.translate(error);
    } finally {
      await this.leaveApart(client);
    }
  }

  /** Switches to the server that accepts writes when there are several, as after a failover. */
  async locate(): Promise<void> {
    if (this.#servers.length === 1) return;
    const { host, port } = await writableServer(this.options, this.#servers);
    if (host === this.options.host && port === this.options.port) return;
    this.options = { ...this.options, host, port };
    if (!this.isClosed) this.renew();
  }

  /** The health probe bypasses the circuit breaker. */
  async connectApart(isProbe = false): Promise<Client> {
    if (this.isClosed) throw closed();
    if (this.outdated) throw this.outdated;
    if (isProbe) await this.locate();
    if (!isProbe) this.breaker.requireClosed();
    const query_timeout = isProbe ? STATEMENT_MS : 0;
    const client = new Client({ ...clientConfig(this.options), query_timeout, statement_timeout: 0 });
    client.on('error', () => undefined);
    watchReplication(client);
    try {
      await client.connect();
      await client.query(UNCOMPILED);
    } catch (error) {
      destroySocket(client);
      throw fromConnecting(error, this.options);
    }
    this.#apart.add(client);
    return client;
  }

  async leaveApart(client: Client): Promise<void> {
    this.#apart.delete(client);
    await client.end().catch(() => undefined);
  }

  translate(error: unknown): unknown {
    return this.isClosed && !(error instanceof UnavailableError)
      ? new UnavailableError('The store is closed.', { cause: error })
      : fromPostgres(error, this.options);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Replaces the pool: connections that were open when the database stopped answering may be dead. */
  renew(): void {
    const before = this.#pool;
    this.#pool = newPool(this.options, this.#opened);
    before.end().catch(() => undefined);
  }

  async #close(): Promise<void> {
    this.breaker.stop();
    for (const client of this.#apart) void this.leaveApart(client);
    // Not awaited, because a consumer may have abandoned its stream.
    void this.long.close(closed());
    await Promise.all(this.#semaphores.map((semaphore) => semaphore.close(closed())));
    await this.#pool.end();
  }

  /** Runs the work on a pooled connection; the semaphores admit no more work than there are connections. */
  async once<T>(work: Work<T>): Promise<T> {
    if (this.outdated) throw this.outdated;
    this.breaker.requireClosed();
    const client = await this.#connect();
    const abort = () => destroySocket(client);
    this.breaker.beginWait(abort);
    try {
      if (this.#opened.delete(client)) await client.query(SETTINGS);
      const result = await work(new Session(client, this.name));
      requireReplicated(client);
      client.release();
      this.breaker.recordAnswer();
      return result;
    } catch (error) {
      const translated = fromPostgres(error, this.options);
      // A connection in doubt is not used again.
      client.release(translated instanceof UnavailableError);
      throw translated;
    } finally {
      this.breaker.endWait(abort);
    }
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const translated = fromConnecting(error, this.options);
      for (const semaphore of this.#semaphores) semaphore.rejectWaiting(translated);
      throw translated;
    }
  }
}

function newPool(options: PostgresOptions, opened: Set<ClientBase>): Pool {
  const pool = new Pool({
    ...clientConfig(options),
    max:
      READ_CONNECTIONS +
      DOCUMENT_WRITE_CONNECTIONS +
      GRANULE_WRITE_CONNECTIONS +
      UNIT_CONNECTIONS +
      SAVE_CONNECTIONS,
    idleTimeoutMillis: 60_000,
  });
  // The pool drops an idle connection that breaks and opens another one when it is needed.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    watchReplication(client);
    opened.add(client);
  });
  pool.on('remove', (client) => opened.delete(client));
  return pool;
}

export async function inTransaction<T>(session: Session, begin: string, work: Work<T>): Promise<T> {
  await session.exec(begin);
  try {
    const result = await work(session);
    await session.exec('COMMIT');
    return result;
  } catch (error) {
    // When the connection is lost, the transaction is rolled back too; the first error is the one to report.
    await session.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
