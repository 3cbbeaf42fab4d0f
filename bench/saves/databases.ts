import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore, openPostgresStore, type Store } from '@kaptain/store';
import { onPostgres } from '../../apps/service/src/testing/service-on.ts';
import { startPostgres } from '../../tools/test-servers/postgres.ts';
import { mongodbDatabase } from '../mongodb/database.ts';

/** A database for the service, and another place for the bare handler. */
export interface SaveDatabase extends AsyncDisposable {
  readonly name: string;
  readonly env: Record<string, string>;
  /** The data folders of the instances that may share it. */
  readonly folders: readonly string[];
  readonly bare: { script: string; args: string[] };
  /** The process of the server, where there is one. */
  readonly serverPid?: number;
  open(): Promise<Store>;
}

const PEPPER = { KAPTAIN_PEPPER: 'a secret that the instances of the bench share' };
const newFolder = () => mkdtempSync(join(tmpdir(), 'kaptain-bench-'));
const scriptOf = (name: string) => join(import.meta.dirname, name);
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

export async function embeddedSaves(): Promise<SaveDatabase> {
  const folder = newFolder();
  return {
    name: 'the embedded store',
    env: PEPPER,
    folders: [folder],
    bare: { script: scriptOf('sqlite-server.ts'), args: [join(folder, 'bare.db')] },
    open: () => openEmbeddedStore({ file: join(folder, 'kaptain.db') }),
    [Symbol.asyncDispose]: async () => remove(folder),
  };
}

/** `isFar`: each round trip to the database takes a millisecond more, for the service and for the bare handler. */
export async function postgresSaves({ isFar = false } = {}): Promise<SaveDatabase> {
  const server = await startPostgres({ fsync: true });
  const folders = [newFolder(), newFolder()];
  const proxy = isFar ? fork(scriptOf('delay.ts'), [String(server.config.port)]) : undefined;
  const port = proxy ? ((await once(proxy, 'message')) as [number])[0] : server.config.port;
  const url = server.url.replace(`:${server.config.port}/`, `:${port}/`);
  return {
    name: isFar ? 'PostgreSQL, 1 ms away' : 'PostgreSQL',
    env: { ...PEPPER, ...onPostgres({ ...server.config, port }) },
    folders,
    bare: { script: scriptOf('postgres-server.ts'), args: [url] },
    serverPid: server.pid,
    open: () => openPostgresStore(server.config),
    async [Symbol.asyncDispose]() {
      proxy?.kill();
      await server.stop();
      folders.forEach(remove);
    },
  };
}

export async function mongodbSaves(): Promise<SaveDatabase> {
  const database = await mongodbDatabase();
  const folders = [newFolder(), newFolder()];
  return {
    name: database.name,
    env: { ...PEPPER, ...database.env },
    folders,
    bare: { script: scriptOf('mongodb-server.ts'), args: database.bare.args },
    open: () => database.open(),
    async [Symbol.asyncDispose]() {
      await database.stop();
      folders.forEach(remove);
    },
  };
}
