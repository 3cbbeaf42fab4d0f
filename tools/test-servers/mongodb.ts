import {
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  accepts,
  canRun,
  findBinary,
  freePort,
  removeFolder,
  run,
  ServerProcess,
  temporaryFolder,
} from './server-process.ts';

/*
 * A private MongoDB for tests and benches: `const server = await startMongodb()`, then `server.config` with a database
 * of your own, and `server.stop()` at the end. It is the server that TEST_MONGODB_URI names, else a `mongod` on the
 * PATH, else mongo-java-server: another program that speaks the same protocol, kept in memory, without transactions.
 */

const given = process.env['TEST_MONGODB_URI'];
const mongod = findBinary(['mongod']);
const java = findBinary(['java']);
const compiler = findBinary(['javac']);
const maven = findBinary(['mvn', 'mvn.cmd']);

const VERSION = '1.47.0';
const cache = join(import.meta.dirname, '../../node_modules/.cache', `mongo-java-server-${VERSION}`);

export interface MongodbConfig {
  host: string;
  port: number;
  user: string;
  password: string;
  useTls: boolean;
}

export interface MongodbServer {
  readonly config: MongodbConfig;
  /** What is really running. */
  readonly kind: 'given' | 'mongod' | 'mongo-java-server';
  stop(): Promise<void>;
}

export const hasMongodb = (): boolean => canRun('MongoDB', given ?? mongod ?? (maven && compiler && java));

export async function startMongodb(): Promise<MongodbServer> {
  if (given !== undefined)
    return { config: configOf(new URL(given)), kind: 'given', stop: async () => undefined };
  const folder = temporaryFolder('mongodb');
  const port = await freePort();
  const server = mongod
    ? new ServerProcess(mongod, ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'])
    : await startJavaServer(port);
  await server.untilReady(() => accepts(port), 60_000);
  return {
    config: { host: '127.0.0.1', port, user: '', password: '', useTls: false },
    kind: mongod ? 'mongod' : 'mongo-java-server',
    async stop() {
      await server.end('SIGKILL');
      removeFolder(folder);
    },
  };
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

async function startJavaServer(port: number): Promise<ServerProcess> {
  if (java === undefined) throw new Error('There is no MongoDB on this machine.');
  await prepare();
  const jars = globSync('repository/**/*.jar', { cwd: cache }).map((jar) => join(cache, jar));
  const classPath = jars.join(delimiter);
  // Each thread serves one command at a time, also the driver's question whether the server is alive.
  const memory = ['-Xmx768m', '-XX:+UseSerialGC', '-Dio.netty.eventLoopThreads=32'];
  return new ServerProcess(java, [...memory, '-cp', classPath, join(cache, 'Server.java'), String(port)]);
}

/** Once per machine; test files that start together wait for the first of them. */
async function prepare(): Promise<void> {
  mkdirSync(join(cache, '..'), { recursive: true });
  const lock = `${cache}.lock`;
  for (const deadline = Date.now() + 300_000; !existsSync(cache); await setTimeout(200)) {
    if (Date.now() > deadline) throw new Error(`mongo-java-server could not be prepared; remove ${lock}.`);
    if (!tryLock(lock)) continue;
    try {
      await fetchJars();
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

function tryLock(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    // Whoever made it long ago has been killed.
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 240_000) rmSync(file, { force: true });
    return false;
  }
}

async function fetchJars(): Promise<void> {
  if (maven === undefined) throw new Error('There is no MongoDB on this machine.');
  const folder = `${cache}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'pom.xml'), pom);
  writeFileSync(join(folder, 'Server.java'), source);
  // As an extension of an empty build, because everything else would first fetch ten times as much for Maven itself.
  const repository = `-Dmaven.repo.local=${join(folder, 'repository')}`;
  await run(maven, ['-q', '-B', '-f', join(folder, 'pom.xml'), repository, 'validate']);
  renameSync(folder, cache);
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>kaptain</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build>
    <extensions>
      <extension>
        <groupId>de.bwaldvogel</groupId>
        <artifactId>mongo-java-server</artifactId>
        <version>${VERSION}</version>
      </extension>
    </extensions>
  </build>
</project>
`;

/** It calls itself an older server than it is, which the driver would refuse. */
const source = `
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

class Server {
  public static void main(String[] args) throws Exception {
    MemoryBackend backend = new MemoryBackend();
    backend.version(new MongoVersion() {
      public List<Integer> getVersionArray() { return List.of(5, 0, 0); }
      public int getWireVersion() { return 13; }
    });
    new MongoServer(backend).bind("127.0.0.1", Integer.parseInt(args[0]));
  }
}
`;
