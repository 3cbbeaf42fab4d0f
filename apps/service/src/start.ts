import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Store } from '@kaptain/store';
import { type BootConfig, readBootConfig } from './base/config/boot-config.ts';
import { makeFolder } from './base/config/make-folder.ts';
import type { CertificateFiles } from './base/config/settings/certificate-files.ts';
import type { KeptSettings } from './base/config/settings.ts';
import { ConfigError } from './base/errors/config-error.ts';
import { version } from './base/version.ts';
import type { PasswordCost } from './identity/passwords/passwords.ts';
import { drain, handOver, listen } from './listening.ts';
import type { Link, Service } from './operations/supervisor/service.ts';
import type * as modules from './startup-modules.ts';

const consoleFolder = join(import.meta.dirname, '..', '..', 'console', 'dist');

type Modules = typeof modules;

/** Without a supervisor, as in benches: there is no restart. */
const unsupervised: Link = {
  startReason: { restartedAt: 0, rejected: [], hasRunBefore: false },
  opening: () => undefined,
  opened: () => undefined,
  restart: () => undefined,
};

/** Certificates were checked when they were saved; a file may have been deleted since. */
function readTls(modules: Modules, settings: KeptSettings, certificates: CertificateFiles) {
  try {
    const tls = modules.tlsOptions(settings.whole(), settings.serverFiles(), certificates);
    if (tls) createSecureContext(tls);
    return tls;
  } catch (error) {
    throw new ConfigError(`HTTPS can not be started: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

/** The allowed folders differ between instances: another one may have saved paths that this one does not allow. */
function requireAllowedPaths(modules: Modules, settings: KeptSettings, boot: BootConfig): void {
  try {
    modules.checkPaths(settings.whole(), (field) => !field.endsWith('File'), boot);
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : 'unknown');
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
  const { Metrics } = await import('./operations/metrics/metrics.ts');
  return { collected: new Metrics(version), access };
}

/** A line of the terminal, or of a collector of JSON lines. */
const terminalLine = (level: 'info' | 'warn', msg: string, isJson: boolean): string => {
  if (isJson) return JSON.stringify({ log: 'system', level, time: new Date().toISOString(), msg });
  return level === 'warn' ? `WARNING: ${msg}` : msg;
};

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
      import('./base/config/settings.ts'),
      import('./base/database/open-store.ts'),
      import('./base/database/shares-database.ts'),
    ]);
  const { rejected, hasRunBefore } = startReason;
  const failed =
    rejected.length > 0
      ? { generations: rejected.map(({ generation }) => generation), hasRunBefore }
      : undefined;
  const readSettings = () => {
    const settings = openSettings({ dataDir: boot.dataDir, failed });
    const { generations, began } = settings;
    const isProven = began.generation === 0 || generations.mark(began.generation)?.status === 'applied';
    link.opening(began.generation, isProven, isProven || sharesDatabase(settings, env));
    return { settings, generations, began, isProven };
  };
  let keptSettings = readSettings();
  // The database opens on its own thread while this one loads the rest of the service.
  const [opened, modules] = await Promise.all([
    openStore(keptSettings.settings.whole(), env, boot),
    import('./startup-modules.ts'),
  ]);
  link.opened();
  const server = databaseOf(keptSettings.settings.whole(), env);
  const joined = server && (await modules.joinShared(opened, keptSettings.settings, boot));
  if (joined?.isChanged) keptSettings = readSettings();
  if (joined?.replaced) keptSettings.settings.warn(joined.replaced);
  const { settings, generations, began, isProven } = keptSettings;
  if (joined && !isProven) requireAllowedPaths(modules, settings, boot);
  const rejectedBlocks = rejected.map(({ generation }) => generations.read(generation)?.settings.db);
  if (!rejectedBlocks.every((db) => isDeepStrictEqual(db, settings.whole().db)))
    await requireKnownDatabase(opened);
  const certificates = new modules.CertificateFiles(boot.dataDir);
  const tls = readTls(modules, settings, certificates);
  const { logLevel, logPath } = settings.current();
  const logFolder = modules.logFolderIn(boot.dataDir, logPath);
  makeFolder(logFolder);
  const output = boot.logsToStdout ? modules.standardOutput() : undefined;
  const logs = modules.createLogs({ folder: logFolder, level: logLevel, output });
  const metrics = await openMetrics(boot.metrics);
  const store = modules.logTrail(opened, logs.app, (entry) => metrics?.collected.countEntry(entry));
  if (store.pendingChanges().length > 0)
    logs.system.warn({ changes: store.pendingChanges() }, 'changes wait until another version has stopped');
  const restarts = {
    lastAt: startReason.restartedAt,
    failure: undefined as { at: string; reason: string } | undefined,
  };
  const pepper = modules.pepperIn(keysFolder(boot.dataDir), boot.pepper);
  // Before `watchPepper` writes the mark of these keys.
  const hasOtherKeys = await modules.isOtherPepper(store, pepper());
  const database = server?.KAPTAIN_DB ?? 'embedded';
  const shared =
    joined &&
    modules.shareSettings({
      store,
      settings,
      certificates,
      version,
      isDatabaseFixed: Boolean(env['KAPTAIN_DB']),
      joined,
      restart: () => link.restart(),
      log: logs.system,
    });
  const app = modules.buildApp({
    ...boot,
    version,
    store,
    database,
    hasOtherKeys,
    metrics,
    settings,
    shared,
    logs,
    passwords: modules.createPasswords(passwordCost),
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
    addressRules: modules.standardAddressRules,
  });
  const { url, port } = await listen(app, boot, tls ? 'https' : 'http');
  const runner = modules.startRunner({
    ...boot,
    store,
    dataSources: app.dataSources,
    settings,
    log: logs.app,
    clock: Date.now,
  });
  const endBackups =
    database === 'embedded'
      ? modules.startBackups({ ...boot, store, settings, log: logs.app, clock: Date.now })
      : undefined;
  logs.system.info({ version, url, pid: process.pid, generation: began.generation }, 'service started');
  const endWatch = modules.watchPepper(store, pepper, logs.system);
  await modules.completeTrail(store, settings);
  if (shared) restarts.failure = await shared.enter(port, rejected);
  else for (const each of rejected) await modules.reject(each, { settings, store, log: logs.system });
  async function end(word: string, closing: Promise<void>, isLast: boolean): Promise<void> {
    logs.system.info({}, word);
    endWatch();
    await shared?.instances.leave(isLast);
    await Promise.all([closing, runner.stop(), endBackups?.()]);
    await store.close();
    logs.system.info({}, 'service stopped');
    await logs.close();
  }
  const hurry = Promise.withResolvers<void>();
  const isFirstVisit = (await store.instance.all()).length === 0;
  // Last: settings count as applied once a worker is ready with them, and are never rolled back after that.
  if (!isProven) modules.markApplied(settings, logs.system);
  const notices = modules.startNotices(settings, env, hasOtherKeys);
  for (const notice of notices) logs.system.warn({}, notice);
  const hint = isFirstVisit ? ' Open it in a browser to create the admin account.' : '';
  return {
    port,
    freePort: boot.port === 0,
    greeting: [
      ...notices.map((notice) => terminalLine('warn', notice, boot.logsToStdout)),
      terminalLine('info', `Kaptain ${version} is ready on ${url}${hint && `.${hint}`}`, boot.logsToStdout),
    ].join('\n'),
    async logCrash(error) {
      logs.system.error({ err: error }, 'service failed');
      await logs.close();
    },
    async restartFailed(rejected, reason) {
      restarts.failure = { at: new Date().toISOString(), reason };
      if (shared) return shared.restartFailed(rejected, reason);
      if (!rejected) return logs.system.error({ reason }, 'restart failed');
      try {
        await modules.reject(rejected, { settings, store, log: logs.system });
      } catch (error) {
        // Its own database may be away too; the next start writes the missing audit entry.
        logs.system.error({ err: error }, 'could not audit the rollback of settings');
      }
    },
    stop: () => end('service stopping', drain(app), true),
    retire: () => end('service handed over', handOver(app, hurry.promise), false),
    hurry: hurry.resolve,
  };
}
