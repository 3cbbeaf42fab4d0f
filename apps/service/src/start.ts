import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Store } from '@kaptain/store';
import { type BootConfig, readBootConfig } from './config/boot-config.ts';
import { ConfigError } from './config/config-error.ts';
import { makeFolder } from './config/make-folder.ts';
import type { CertificateFiles } from './config/settings/certificate-files.ts';
import type { KeptSettings } from './config/settings.ts';
import { drain, handOver, listen } from './listening.ts';
import type * as parts from './parts.ts';
import type { PasswordCost } from './security/passwords.ts';
import type { Rejected, StartReason } from './supervisor/messages.ts';
import { version } from './version.ts';

const consoleFolder = join(import.meta.dirname, '..', '..', 'console', 'dist');

type Parts = typeof parts;

/** The service's connection to its supervisor. */
export interface Link {
  startReason: StartReason;
  opening(generation: number, isProven: boolean, sharesDatabase: boolean): void;
  opened(): void;
  restart(): void;
}

export interface Service {
  /** One line for the terminal, or for a collector of JSON lines. */
  greeting: string;
  port: number;
  /** Whether any free port was requested. */
  freePort: boolean;
  stop(): Promise<void>;
  /** Leaves its port to another worker that is ready. */
  retire(): Promise<void>;
  /** Called while it retires, when the whole service stops: clients will not reconnect. */
  hurry(): void;
  /** The next worker could not start. */
  restartFailed(rejected: Rejected | undefined, reason: string): Promise<void>;
  /** Logs why the process is about to end unexpectedly. */
  logCrash(error: unknown): Promise<void>;
}

/** Without a supervisor, as in benches: there is no restart. */
const unsupervised: Link = {
  startReason: { restartedAt: 0, rejected: undefined },
  opening: () => undefined,
  opened: () => undefined,
  restart: () => undefined,
};

/** Certificates were checked when they were saved; a file may have been deleted since. */
function readTls(parts: Parts, settings: KeptSettings, certificates: CertificateFiles) {
  try {
    const tls = parts.tlsOptions(settings.whole(), settings.serverFiles(), certificates);
    if (tls) createSecureContext(tls);
    return tls;
  } catch (error) {
    throw new ConfigError(`HTTPS can not be started: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

/** A rollback of settings must not lead to another, empty database, where any visitor could create the first admin. */
async function requireKnownDatabase(store: Store): Promise<void> {
  if ((await store.instance.all()).length > 0) return;
  await store.close();
  throw new ConfigError('There are no earlier settings with which this service was ever set up.');
}

/** The library is loaded only when metrics are on. */
async function openMetrics(access: BootConfig['metrics']) {
  if (!access) return undefined;
  const { Metrics } = await import('./metrics/metrics.ts');
  return { collected: new Metrics(version), access };
}

/** The first line of the terminal, or of a collector of JSON lines. */
const greetingLine = (text: string, isJson: boolean): string =>
  isJson ? JSON.stringify({ log: 'system', level: 'info', time: new Date().toISOString(), msg: text }) : text;

/**
 * Boot config → logs → store → app → port. An error that the admin can correct is a ConfigError. Only tests pass a cost
 * of passwords.
 */
export async function start(
  env: NodeJS.ProcessEnv,
  link: Link = unsupervised,
  passwordCost?: PasswordCost,
): Promise<Service> {
  const { startReason } = link;
  const boot = readBootConfig(env);
  makeFolder(boot.dataDir);
  const [{ openSettings }, { databaseOf, keysFolder, openDatabase, openStore }, { sharesDatabase }] =
    await Promise.all([
      import('./config/settings.ts'),
      import('./config/open-store.ts'),
      import('./config/shares-database.ts'),
    ]);
  const settings = openSettings({ dataDir: boot.dataDir, without: startReason.rejected?.generation });
  const { generations, began } = settings;
  const isProven = began.generation === 0 || generations.mark(began.generation)?.status === 'applied';
  link.opening(began.generation, isProven, isProven || sharesDatabase(settings, env));
  // The database opens on its own thread while this one loads the rest of the service.
  const [opened, parts] = await Promise.all([openStore(settings.whole(), env, boot), import('./parts.ts')]);
  link.opened();
  if (startReason.rejected) {
    const rejectedSettings = generations.read(startReason.rejected.generation)?.settings;
    if (!isDeepStrictEqual(rejectedSettings?.db, settings.whole().db)) await requireKnownDatabase(opened);
  }
  const certificates = new parts.CertificateFiles(boot.dataDir);
  const tls = readTls(parts, settings, certificates);
  const { logLevel, logPath } = settings.current();
  const logFolder = parts.logFolderIn(boot.dataDir, logPath);
  makeFolder(logFolder);
  const output = boot.logsToStdout ? parts.standardOutput() : undefined;
  const logs = parts.createLogs({ folder: logFolder, level: logLevel, output });
  const metrics = await openMetrics(boot.metrics);
  const store = parts.logTrail(opened, logs.app, (entry) => metrics?.collected.countEntry(entry));
  for (const warning of settings.warnings) logs.system.warn({}, warning);
  if (store.heldBack().length > 0)
    logs.system.warn({ changes: store.heldBack() }, 'changes wait until another version has stopped');
  const restarts = {
    lastAt: startReason.restartedAt,
    failure: undefined as { at: string; reason: string } | undefined,
  };
  const database = databaseOf(settings.whole(), env)?.KAPTAIN_DB ?? 'embedded';
  const app = parts.buildApp({
    ...boot,
    version,
    store,
    database,
    metrics,
    settings,
    logs,
    passwords: parts.createPasswords(passwordCost),
    clock: Date.now,
    uptime: () => performance.now(),
    logFolder,
    tls,
    restarts: {
      request: () => {
        restarts.lastAt = Date.now();
        link.restart();
      },
      lastAt: () => restarts.lastAt,
      lastFailure: () => restarts.failure,
    },
    openDatabase: ({ db }) => openDatabase(db, boot.dataDir),
    keysFolder: keysFolder(boot.dataDir),
    temporaryFolder: join(boot.dataDir, 'tmp'),
    consoleFolder,
    consoleConfig: { variant: boot.variant, serviceUrl: boot.consoleServiceUrl },
    areAnswersChecked: false,
    addressRules: parts.standardAddressRules,
  });
  const { url, port } = await listen(app, boot, tls ? 'https' : 'http');
  const runner = parts.startRunner({
    ...boot,
    store,
    dataSources: app.dataSources,
    settings,
    log: logs.app,
    clock: Date.now,
  });
  const endBackups =
    database === 'embedded'
      ? parts.startBackups({ ...boot, store, settings, log: logs.app, clock: Date.now })
      : undefined;
  logs.system.info({ version, url, pid: process.pid, generation: began.generation }, 'service started');
  const pepper = parts.pepperIn(keysFolder(boot.dataDir), boot.pepper);
  const endWatch = parts.watchPepper(store, pepper, logs.system);
  await parts.completeTrail(store, settings);
  if (startReason.rejected) await parts.reject(startReason.rejected, { settings, store, log: logs.system });
  async function end(word: string, closing: Promise<void>): Promise<void> {
    logs.system.info({}, word);
    endWatch();
    await Promise.all([closing, runner.stop(), endBackups?.()]);
    await store.close();
    logs.system.info({}, 'service stopped');
    await logs.close();
  }
  const hurry = Promise.withResolvers<void>();
  const isFirstVisit = (await store.instance.all()).length === 0;
  // Last: settings count as applied once a worker is ready with them, and are never rolled back after that.
  if (!isProven) parts.markApplied(settings, logs.system);
  const hint = isFirstVisit ? ' Open it in a browser to create the admin account.' : '';
  return {
    port,
    freePort: boot.port === 0,
    greeting: greetingLine(`Kaptain ${version} is ready on ${url}${hint && `.${hint}`}`, boot.logsToStdout),
    async logCrash(error) {
      logs.system.error({ err: error }, 'service failed');
      await logs.close();
    },
    async restartFailed(rejected, reason) {
      restarts.failure = { at: new Date().toISOString(), reason };
      if (!rejected) return logs.system.error({ reason }, 'restart failed');
      try {
        await parts.reject(rejected, { settings, store, log: logs.system });
      } catch (error) {
        // Its own database may be away too; the next start writes the missing audit entry.
        logs.system.error({ err: error }, 'could not audit the rollback of settings');
      }
    },
    stop: () => end('service stopping', drain(app)),
    retire: () => end('service handed over', handOver(app, hurry.promise)),
    hurry: hurry.resolve,
  };
}
