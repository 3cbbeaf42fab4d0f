import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { stderr } from 'node:process';
import { start } from '../start.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type TestAppOptions, testApp } from './test-app.ts';

interface Answer {
  status: number;
  retryAfter: string | null;
  // biome-ignore format: one line reads better
  body: { accessToken: string; status: string; _id: string } & Record<string, unknown>;
  list: Record<string, unknown>[];
  ms: number;
}

type Server = Record<'host' | 'user' | 'password' | 'database', string> & { port: number };

/** The environment variables for a database server. */
export const onServer = (
  kind: 'postgres' | 'mongodb',
  { host, port, user, password, database }: Server,
): Record<string, string> => ({
  KAPTAIN_DB: kind,
  KAPTAIN_DB_HOST: host,
  KAPTAIN_DB_PORT: String(port),
  KAPTAIN_DB_USER: user,
  KAPTAIN_DB_PASS: password,
  KAPTAIN_DB_NAME: database,
});

export const onPostgres = (server: Server) => onServer('postgres', server);

/** One of the services on a database. */
export interface Instance extends AsyncDisposable {
  url: string;
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; key?: string },
  ): Promise<Answer>;
}

export interface RunningService extends Instance {
  process: ServiceProcess;
}

/** Starts it again, as a service manager does, while the database of a busy machine answers later than a start waits. */
async function started(env: Record<string, string>, tries = 20): Promise<ServiceProcess> {
  const process = startProcess(env);
  try {
    await process.said(/http:\/\/localhost:\d+/);
    return process;
  } catch (error) {
    process[Symbol.dispose]();
    await process.ended;
    if (tries > 1 && process.output().includes('does not answer')) return started(env, tries - 1);
    throw error;
  }
}

/** The lines of the service's logs that tell an error. */
const errorsIn = (folder: string): string =>
  globSync(join(folder, 'logs', '*-current.log'))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line.includes('"level":"error"'))
    .join('\n');

/** A service in its own process and data folder, on a database that several may share. */
export async function serviceOn(env: Record<string, string>, settings?: object): Promise<RunningService> {
  const folder = temporaryFolder();
  if (settings) writeFileSync(join(folder.path, 'settings.json'), JSON.stringify(settings));
  let process: ServiceProcess;
  try {
    process = await started({ KAPTAIN_DATA_DIR: folder.path, ...env });
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
  const url = /http:\/\/localhost:\d+/.exec(process.output())?.[0] ?? '';
  return {
    url,
    process,
    call: callsTo(url, () => errorsIn(folder.path)),
    async [Symbol.asyncDispose]() {
      process.child.kill('SIGTERM');
      await process.ended;
      folder[Symbol.dispose]();
    },
  };
}

/**
 * A service on such a database in the process of the test, with a port of its own. It shares no connection and no cached answer
 * with another one there; both take ids and times from their one process.
 */
export async function serviceHere(options: TestAppOptions): Promise<Instance> {
  const app = await testApp(options);
  const url = await app.http.listen({ host: 'localhost', port: 0 });
  const { port } = new URL(url);
  const at = `http://localhost:${port}`;
  return {
    url: at,
    call: callsTo(at, () => app.logLines.filter((line) => line.includes('"level":"error"')).join('\n')),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** A service with its own logs and its disk, started in the process of the test. */
export async function startedHere(dataDir: string): Promise<Instance> {
  const env = { KAPTAIN_DATA_DIR: dataDir, KAPTAIN_PORT: '0' };
  const service = await start(env, undefined, { memoryKiB: 64, rounds: 1 });
  const url = `http://localhost:${service.port}`;
  return { url, call: callsTo(url, () => errorsIn(dataDir)), [Symbol.asyncDispose]: () => service.stop() };
}

/** `errors` tells what the log of the service has for an answer 500: printed with the test, because the answer tells no cause. */
const callsTo =
  (url: string, errors: () => string): Instance['call'] =>
  async (method, path, { token, body, key } = {}) => {
    const began = performance.now();
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'x-api-key': key, 'x-kaptain-user': 'CORP\\ann' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 500) stderr.write(`${method} ${path}: 500\n${errors()}\n`);
    const parsed = (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {}) as Answer['body'];
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: parsed,
      list: Array.isArray(parsed) ? (parsed as Record<string, unknown>[]) : [],
      ms: performance.now() - began,
    };
  };

/** Posts JSON under another host name than that of the address; returns the status. */
export const postAs = (host: string, url: string, path: string, body: unknown): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' };
    request(url + path, { method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
