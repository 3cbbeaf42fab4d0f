import type { Kapsule } from '@kaptain/contract';
import type { Caller } from './caller.ts';
import { upload } from './multipart.ts';
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts';

/** A .kap file of a kapsule on PostgreSQL. */
export const kap = (name: string, tableName: string, fields: readonly string[], keyField = 'id'): string =>
  JSON.stringify({
    format: 'kap',
    version: 1,
    kapsule: {
      name,
      keyField,
      database: 'postgresql',
      tableName,
      fields: fields.map((field) => ({ name: field, type: 'text' })),
    },
  });

interface Created {
  status: string;
  message: string;
  kapsuleId: string;
}

/** The server that the test starts: this folder imports no driver. */
interface Server {
  stop(): Promise<void>;
}
interface Connection {
  once(event: 'end', listener: () => void): unknown;
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
  end(): Promise<void>;
}

/** The service with a real PostgreSQL as its data source. */
export class SourceApp {
  readonly app: TestApp;
  readonly admin: Caller;
  /** A connection beside the service, as another program has. */
  readonly connect: () => Promise<Connection>;
  readonly #server: Server;
  #connection: Connection | undefined;

  private constructor(app: TestApp, admin: Caller, server: Server, connect: () => Promise<Connection>) {
    this.app = app;
    this.admin = admin;
    this.connect = connect;
    this.#server = server;
  }

  static async start<S extends Server>(
    server: S,
    blockOf: (server: S) => object,
    connect: (server: S) => Promise<Connection>,
    settings: TestAppOptions['settings'] = {},
  ) {
    const app = await testApp({ settingsFile: { settings: {}, postgresql: blockOf(server) }, settings });
    return new SourceApp(app, await app.asAdmin(), server, () => connect(server));
  }

  async stop(): Promise<void> {
    await this.app[Symbol.asyncDispose]();
    await this.#connection?.end();
    await this.#server.stop();
  }

  async sql(text: string): Promise<Record<string, unknown>[]> {
    if (!this.#connection) {
      this.#connection = await this.connect();
      this.#connection.once('end', () => (this.#connection = undefined));
    }
    return (await this.#connection.query(text)).rows;
  }

  async columnsOf(table: string): Promise<unknown[]> {
    const rows = await this.sql(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = '${table}' AND column_name NOT LIKE 'k\\_%' ORDER BY ordinal_position`,
    );
    return rows.map(({ name }) => name);
  }

  importKap(caller: Caller, content: string) {
    return upload(caller, '/api/kapsule/import/kapsules', [{ name: 'a.kap', content }]);
  }

  async created(caller: Caller, content: string): Promise<string> {
    const { body } = await this.importKap(caller, content);
    const [result] = body as unknown as Created[];
    if (result?.status !== 'success') throw new Error(JSON.stringify(body));
    return result.kapsuleId;
  }

  replace(caller: Caller, id: string, content: string) {
    return upload(caller, `/api/kapsule/import/kapsule/${id}`, [{ name: 'a.kap', content }]);
  }

  /** With its table, which is then dropped at once, or without it. */
  remove(caller: Caller, kapsuleIds: string[], deleteTable: boolean) {
    const body = { kapsuleIds, deleteTable, dropNow: deleteTable };
    return caller.call('DELETE', '/api/kapsule/sql', { body });
  }

  async kapsule(caller: Caller, id: string): Promise<Kapsule | undefined> {
    // The service caches states of data sources for seconds.
    this.app.advance(10_000);
    return (JSON.parse((await caller.get('/api/kapsule')).text) as Kapsule[]).find(({ _id }) => _id === id);
  }
}
