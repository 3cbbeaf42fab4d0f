import type { Certificate } from './certificates.ts';
import { fetchedMongod } from './fetched-mongod.ts';
import {
  accepts,
  canRun,
  findBinary,
  freePort,
  orRemove,
  removeFolder,
  ServerProcess,
  temporaryFolder,
} from './server-process.ts';

/*
 * A private MongoDB for tests and benches: `const server = await startMongodb()`, then `server.config` with a database
 * of your own, and `server.stop()` at the end. It is the server that TEST_MONGODB_URI names, else a `mongod` on the
 * PATH, else one that is downloaded once per machine. `replica-set.ts` starts several as a replica set.
 */

const given = process.env['TEST_MONGODB_URI'];
const mongod = findBinary(['mongod']) ?? (await fetchedMongod());

export interface MongodbConfig {
  host: string;
  port: number;
  user: string;
  password: string;
  useTls: boolean;
}

interface MongodbOptions {
  /** The server accepts only TLS. */
  certificate?: Certificate;
  /** The server joins the replica set of this name when that is initiated. */
  replicaSet?: string;
  /** Another address of the loopback interface than 127.0.0.1. */
  host?: string;
  port?: number;
}

export interface MongodbServer {
  readonly config: MongodbConfig;
  stop(): Promise<void>;
  /** Starts on the same data and port, after a kill. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Stops the process (SIGSTOP): until `thaw` it keeps its connections and answers none. */
  freeze(): Promise<void>;
  thaw(): void;
}

export const hasMongodb = (): boolean => canRun('MongoDB', given ?? mongod);

/** Tests that kill their server or need options can't use the one that TEST_MONGODB_URI names. */
export const hasOwnMongodb = (): boolean => canRun('MongoDB', mongod);

/** The server that TEST_MONGODB_URI names, or one of its own. */
export async function startMongodb(): Promise<MongodbServer> {
  return given === undefined ? startOwnMongodb() : namedServer(new URL(given));
}

/** A server that the caller may kill; acknowledged writes survive that. */
export async function startOwnMongodb(options: MongodbOptions = {}): Promise<MongodbServer> {
  if (mongod === undefined) throw new Error('MongoDB is not installed on this machine.');
  const { host = '127.0.0.1', port = await freePort(host), certificate } = options;
  const folder = temporaryFolder('mongodb');
  const args = argumentsFor(folder, { ...options, host, port });
  let server: ServerProcess | undefined;
  const start = async () => {
    server = new ServerProcess(mongod, args);
    await server.untilReady(() => accepts(port, host), 60_000);
  };
  await orRemove(folder, start);
  return {
    config: { host, port, user: '', password: '', useTls: certificate !== undefined },
    start,
    kill: async () => server?.end('SIGKILL'),
    freeze: async () => server?.freeze(),
    thaw: () => server?.thaw(),
    async stop() {
      await server?.end('SIGKILL');
      removeFolder(folder);
    },
  };
}

function argumentsFor(folder: string, { certificate, replicaSet, host, port }: MongodbOptions): string[] {
  const at = ['--dbpath', folder, '--port', String(port), '--bind_ip', String(host), '--nounixsocket'];
  // By default each server takes half of the machine's memory.
  const small = [
    '--wiredTigerCacheSizeGB',
    '0.25',
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
  ];
  const set = replicaSet ? ['--replSet', replicaSet, '--oplogSize', '64'] : [];
  const tls = certificate ? ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', certificate.both] : [];
  return [...at, ...small, ...set, ...tls];
}

function namedServer(url: URL): MongodbServer {
  const refuse = () => {
    throw new Error('A test must not stop the server that TEST_MONGODB_URI names.');
  };
  const stop = async () => undefined;
  return { config: configOf(url), stop, start: refuse, kill: refuse, freeze: refuse, thaw: refuse };
}

function configOf({ hostname, port, username, password, searchParams }: URL): MongodbConfig {
  return {
    host: hostname,
    port: Number(port || 27_017),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    useTls: searchParams.get('tls') === 'true',
  };
}
