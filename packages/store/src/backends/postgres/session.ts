import type { ClientBase } from 'pg';

/** A statement that is sent often: each connection keeps its plan under the name. */
export interface Statement {
  name: string;
  text: string;
}

/** The channel by which the instances notify each other of changed kapsules. */
export const CHANNEL = 'kaptain_granules';

/** One connection for as long as a piece of work has it. */
export class Session {
  readonly client: ClientBase;
  /** The kapsule whose counters the last statement was to lock. */
  lockedKapsule: string | undefined;
  readonly #sender: string;

  constructor(client: ClientBase, sender: string) {
    this.client = client;
    this.#sender = sender;
  }

  /** The notification for the other instances; an instance recognises its own by its name. */
  noticeOf(kapsuleId: string): string {
    return `${this.#sender} ${kapsuleId}`;
  }

  async all<Row extends object>(sql: string | Statement, ...values: unknown[]): Promise<Row[]> {
    const statement = typeof sql === 'string' ? { text: sql } : sql;
    return (await this.client.query<Row>({ ...statement, values })).rows;
  }

  async get<Row extends object>(sql: string | Statement, ...values: unknown[]): Promise<Row | undefined> {
    return (await this.all<Row>(sql, ...values))[0];
  }

  /** Says how many rows were changed. */
  async run(sql: string | Statement, ...values: unknown[]): Promise<number> {
    const statement = typeof sql === 'string' ? { text: sql } : sql;
    return (await this.client.query({ ...statement, values })).rowCount ?? 0;
  }

  /** Several statements without values in one round trip. */
  async exec(sql: string): Promise<void> {
    await this.client.query(sql);
  }

  /** All of the work or nothing of it, inside a transaction that is open already. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    await this.exec('SAVEPOINT step');
    try {
      const result = await work();
      await this.exec('RELEASE step');
      return result;
    } catch (error) {
      await this.exec('ROLLBACK TO step; RELEASE step');
      throw error;
    }
  }
}
