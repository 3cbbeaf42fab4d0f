import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore, openPostgresStore, type Store } from '@kaptain/store';
import { onPostgres } from '../../apps/service/src/testing/service-on.ts';
import { startPostgres } from '../../tools/test-servers/postgres.ts';

/** A database for the service, and another place for the bare handler. */
export interface SaveDatabase extends AsyncDisposable {
  readonly name: string;
  readonly env: Record<string, string>;
  /** The data folders of the instances that may share it. */
  readonly folders: readonly string[];
  readonly bare: { script: string; args: string[] };
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

export async function postgresSaves(): Promise<SaveDatabase> {
  const server = await startPostgres({ fsync: true });
  const folders = [newFolder(), newFolder()];
  return {
    name: 'PostgreSQL',
    env: { ...PEPPER, ...onPostgres(server.config) },
    folders,
    bare: { script: scriptOf('postgres-server.ts'), args: [server.url] },
    open: () => openPostgresStore(server.config),
    async [Symbol.asyncDispose]() {
      await server.stop();
      folders.forEach(remove);
    },
  };
}
