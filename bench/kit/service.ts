import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@kaptain/store';
import type { BenchDatabase } from '../databases/database.ts';
import { Child } from './child.ts';
import { type Caller, logIn, read, write } from './client.ts';
import { fillPeople, PASSWORD } from './people.ts';

const scriptOf = (name: string) => join(import.meta.dirname, name);

/** Starts the real service in its own process on a data folder. */
export async function startService(
  folder: string,
  env: Record<string, string> = {},
): Promise<{ url: string; child: Child<number> }> {
  mkdirSync(folder, { recursive: true });
  // Trusts the forwarded addresses of the login flood, which simulates many clients.
  if (!existsSync(join(folder, 'kaptain.json')))
    writeFileSync(join(folder, 'kaptain.json'), '{"trustedProxies":["127.0.0.1"]}');
  const child = await Child.start<number>(scriptOf('service-process.ts'), [], {
    KAPTAIN_PEPPER: 'a secret that the instances of a bench share',
    KAPTAIN_DATA_DIR: folder,
    KAPTAIN_HOST: '127.0.0.1',
    KAPTAIN_PORT: '0',
    ...env,
  });
  return { url: `http://127.0.0.1:${child.hello}`, child };
}

export const startUploader = (...rows: number[]): Promise<Child<unknown>> =>
  Child.start(scriptOf('uploader.ts'), rows.map(String));

/** A service with 200 users and 200 kapsules, an admin, and another person who reads all these kapsules. */
export interface Running extends AsyncDisposable {
  url: string;
  service: Child<number>;
  admin: Caller;
  reader: Caller;
  /** The list call of the other person. */
  listKapsules: () => Promise<unknown>;
}

/** Creates the first admin, and the others by `open`. */
async function setUp(url: string, open: () => Promise<Store>): Promise<Pick<Running, 'admin' | 'reader'>> {
  const body = { username: 'admin', password: PASSWORD };
  await write({ url, token: '' }, 'POST', '/api/user/init', body);
  const store = await open();
  await fillPeople(store);
  await store.close();
  return { admin: await logIn(url, 'admin', PASSWORD), reader: await logIn(url, 'reader', PASSWORD) };
}

export async function runService(
  { folder, env, open }: Pick<BenchDatabase, 'folder' | 'env' | 'open'>,
  isAsInstalled = false,
): Promise<Running> {
  if (!isAsInstalled)
    writeFileSync(join(folder, 'settings.json'), '{"settings":{},"system":{"logLevel":"warn"}}');
  const { url, child } = await startService(folder, env);
  const { admin, reader } = await setUp(url, open);
  return {
    url,
    service: child,
    admin,
    reader,
    listKapsules: () => read(reader, '/api/kapsule'),
    [Symbol.asyncDispose]: () => child.stop('stop'),
  };
}
