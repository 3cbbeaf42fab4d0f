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
import { type Certificate, PFX_PASSWORD } from './certificates.ts';
import {
  accepts,
  canRun,
  findBinary,
  freePort,
  orRemove,
  removeFolder,
  run,
  ServerProcess,
  temporaryFolder,
} from './server-process.ts';

/*
 * A private MongoDB for tests and benches: `const server = await startMongodb()`, then `server.config` with a database
 * of your own, and `server.stop()` at the end. It is the server that TEST_MONGODB_URI names, else a `mongod` on the
 * PATH, else mongo-java-server: a program with the same wire protocol, without transactions, in memory unless a test
 * sets `isOnDisk`.
 */

const given = process.env['TEST_MONGODB_URI'];
const mongod = findBinary(['mongod']);
const java = findBinary(['java']);
const compiler = findBinary(['javac']);
const maven = findBinary(['mvn', 'mvn.cmd']);

const VERSION = '1.47.0';
const cache = join(import.meta.dirname, '../../node_modules/.cache', `mongo-java-server-${VERSION}-classes`);

export interface MongodbConfig {
  host: string;
  port: number;
  user: string;
  password: string;
  useTls: boolean;
}

export interface MongodbOptions {
  /** Acknowledged writes survive a kill. */
  isOnDisk?: boolean;
  /** The server accepts only TLS. */
  certificate?: Certificate;
  /** Starts with --replSet and this name; only a real mongod can. */
  replicaSet?: string;
}

export interface MongodbServer {
  readonly config: MongodbConfig;
  /** The program that runs. */
  readonly kind: 'given' | 'mongod' | 'mongo-java-server';
  stop(): Promise<void>;
  /** Starts on the same data and port, after a kill. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Stops the process (SIGSTOP): until `thaw` it keeps its connections and answers none. */
  freeze(): Promise<void>;
  thaw(): void;
}

export const hasMongodb = (): boolean => canRun('MongoDB', given ?? mongod ?? (maven && compiler && java));

/** Only a real mongod can be a replica set; without one, a line reports it and CI does not fail. */
export function hasRealMongodb(): boolean {
  if (mongod) return true;
  process.stderr.write(
    '\n!!! NOT TESTED: there is no mongod on this machine, so transactions are not proved.\n\n',
  );
  return false;
}

/** Tests that kill their server or need options can't use the one that TEST_MONGODB_URI names. */
export const hasOwnMongodb = (): boolean => canRun('MongoDB', mongod ?? (maven && compiler && java));

export async function startMongodb(options: MongodbOptions = {}): Promise<MongodbServer> {
  const isSpecial = options.isOnDisk || options.certificate || options.replicaSet;
  if (given !== undefined && !isSpecial) return namedServer(new URL(given));
  const folder = temporaryFolder('mongodb');
  const port = await freePort();
  let server: ServerProcess | undefined;
  const start = async () => {
    server = mongod
      ? startMongod(mongod, folder, port, options)
      : await startJavaServer(folder, port, options);
    await server.untilReady(() => accepts(port), 60_000);
  };
  await orRemove(folder, start);
  return {
    config: { host: '127.0.0.1', port, user: '', password: '', useTls: options.certificate !== undefined },
    kind: mongod ? 'mongod' : 'mongo-java-server',
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

function namedServer(url: URL): MongodbServer {
  const refuse = () => {
    throw new Error('A test must not stop the server that TEST_MONGODB_URI names.');
  };
  const stop = async () => undefined;
  return {
    config: configOf(url),
    kind: 'given',
    stop,
    start: refuse,
    kill: refuse,
    freeze: refuse,
    thaw: refuse,
  };
}

function startMongod(
  file: string,
  folder: string,
  port: number,
  { certificate, replicaSet }: MongodbOptions,
): ServerProcess {
  const tls = certificate ? ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', certificate.both] : [];
  const set = replicaSet ? ['--replSet', replicaSet] : [];
  const place = ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'];
  return new ServerProcess(file, [...place, ...tls, ...set]);
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

async function startJavaServer(
  folder: string,
  port: number,
  { isOnDisk, certificate }: MongodbOptions,
): Promise<ServerProcess> {
  if (java === undefined) throw new Error('MongoDB is not installed on this machine.');
  await prepare();
  const classPath = [join(cache, 'classes'), ...jarsIn(cache)].join(delimiter);
  // Each thread serves one command at a time, the driver's heartbeats included.
  const memory = ['-Xmx768m', '-XX:+UseSerialGC', '-Dio.netty.eventLoopThreads=32'];
  // It lives for seconds, too short for the second compiler to pay off.
  const quick = ['-XX:TieredStopAtLevel=1'];
  const args = [String(port), isOnDisk ? join(folder, 'data') : '', certificate?.pfx ?? ''];
  return new ServerProcess(java, [...memory, ...quick, '-cp', classPath, 'Server', ...args]);
}

/** Downloads the jars once per machine; concurrent test files wait for the lock of the first. */
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
    // A lock older than 4 minutes belongs to a killed process.
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 240_000) rmSync(file, { force: true });
    return false;
  }
}

const jarsIn = (folder: string) =>
  globSync('repository/**/*.jar', { cwd: folder }).map((jar) => join(folder, jar));

async function fetchJars(): Promise<void> {
  if (maven === undefined || compiler === undefined)
    throw new Error('MongoDB is not installed on this machine.');
  const folder = `${cache}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'pom.xml'), pom);
  // As an extension of an empty build, because any Maven plugin would download ten times as much.
  const repository = `-Dmaven.repo.local=${join(folder, 'repository')}`;
  await run(maven, ['-q', '-B', '-f', join(folder, 'pom.xml'), repository, 'validate']);
  writeFileSync(join(folder, 'Server.java'), source);
  const classes = join(folder, 'classes');
  await run(compiler, ['-cp', jarsIn(folder).join(delimiter), '-d', classes, join(folder, 'Server.java')]);
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
      <extension>
        <groupId>de.bwaldvogel</groupId>
        <artifactId>mongo-java-server-h2-backend</artifactId>
        <version>${VERSION}</version>
      </extension>
    </extensions>
  </build>
</project>
`;

/**
 * Reports a newer version than mongo-java-server does, which the driver would refuse. On disk it writes every change
 * atomically before it acknowledges it, as a real server does with its journal.
 */
const source = `
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.io.FileInputStream;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.h2.mvstore.MVStore;

class Server {
  static final char[] PASSWORD = "${PFX_PASSWORD}".toCharArray();
  static final Set<String> READS =
    Set.of("find", "getMore", "aggregate", "count", "distinct", "hello", "isMaster", "ismaster", "ping", "killCursors");

  static class DiskBackend extends H2Backend {
    DiskBackend(String file) {
      super(new MVStore.Builder().fileName(file).autoCommitDisabled().open());
    }

    public Document handleMessage(MongoMessage message) {
      if (READS.contains(message.getDocument().keySet().iterator().next())) return super.handleMessage(message);
      synchronized (this) {
        Document answer = super.handleMessage(message);
        commit();
        return answer;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    AbstractMongoBackend backend = args[1].isEmpty() ? new MemoryBackend() : new DiskBackend(args[1]);
    backend.version(new MongoVersion() {
      public List<Integer> getVersionArray() { return List.of(5, 0, 0); }
      public int getWireVersion() { return 13; }
    });
    MongoServer server = new MongoServer(backend);
    if (!args[2].isEmpty()) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (FileInputStream file = new FileInputStream(args[2])) { store.load(file, PASSWORD); }
      String name = store.aliases().nextElement();
      server.enableSsl((PrivateKey) store.getKey(name, PASSWORD), null, (X509Certificate) store.getCertificate(name));
    }
    server.bind("127.0.0.1", Integer.parseInt(args[0]));
  }
}
`;
