import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limits } from '@kaptain/contract';
import { foldName, type NewDocument, openEmbeddedStore, type Store, type UserRecord } from '@kaptain/store';
import { type App, type AppDeps, buildApp } from '../app.ts';
import type { MetricsAccess } from '../base/config/boot-config.ts';
import { CertificateFiles } from '../base/config/settings/certificate-files.ts';
import type { FileSystem } from '../base/config/settings/durable-file.ts';
import { type CurrentSettings, type KeptSettings, openSettings } from '../base/config/settings.ts';
import { type Database, openSealed } from '../base/database/open-store.ts';
import { logTrail } from '../base/logging/log-trail.ts';
import { createPasswords, type Passwords } from '../identity/passwords/passwords.ts';
import { joinShared } from '../operations/instances/join-shared.ts';
import { shareSettings } from '../operations/instances/share-settings.ts';
import { Metrics } from '../operations/metrics/metrics.ts';
import { type Caller, callerOf } from './caller.ts';
import { writeEmptyDatabase } from './empty-database.ts';
import { memoryLogs } from './memory-logs.ts';

export const PASSWORD = 'correct horse battery';

export interface TestAppOptions
  extends Partial<
    Pick<
      AppDeps,
      | 'setupToken'
      | 'publicHosts'
      | 'trustedProxies'
      | 'timeouts'
      | 'openDatabase'
      | 'licenseKey'
      | 'tls'
      | 'granuleBytes'
      | 'pepper'
    >
  > {
  settings?: Partial<CurrentSettings>;
  /** Another database than the embedded one; several apps on it are instances of one service. */
  database?: Database | undefined;
  /** Several instances share the settings; a fixed database is named by the environment. */
  sharing?: Pick<Parameters<typeof shareSettings>[0], 'isDatabaseFixed'>;
  /** The file system for the settings. */
  disk?: FileSystem;
  /** The content of settings.json. */
  settingsFile?: object;
  addressRules?: AppDeps['addressRules'];
  /** When false, answers are not checked against the contract, which takes long for large ones. */
  areAnswersChecked?: boolean;
  /** When false, the console counts as not built. */
  isConsoleBuilt?: boolean;
  passwords?: Passwords;
  /** Without it there are no metrics. */
  metricsAccess?: MetricsAccess;
  /** The data folder, for tests that need a certain disk or open it with several apps in turn; the test removes it. */
  folder?: string;
}

export interface TestApp extends App, AsyncDisposable {
  store: Store;
  settings: KeptSettings;
  /** The number of requested restarts, and why the last one failed. */
  restarts: { asked: number; failure?: { at: string; reason: string } };
  folder: string;
  logLines: string[];
  /** The time of day of the service. */
  now(): number;
  /** Moves both clocks of the service ahead. */
  advance(ms: number): void;
  /** Sets only the time of day of the service ahead or back. */
  setClock(ms: number): void;
  asNobody: Caller;
  /** A logged-in USER; each name is one user. */
  asUser(name?: string, change?: Partial<UserRecord>): Promise<Caller>;
  /** The first admin, created on the first call, with a new session each time. */
  asAdmin(): Promise<Caller>;
}

export const cheapPasswords = createPasswords({ memoryKiB: 64, rounds: 1 });

const newUser = (username: string, passwordHash: string): NewDocument<UserRecord> => ({
  username,
  nameKey: foldName(username),
  passwordHash,
  role: 'USER',
  qlikId: `TEST\\${username}`,
  isCreate: false,
  isFirstAdmin: false,
  loginAttempts: 0,
  lockCount: 0,
  lockTime: null,
  lastLoginAttempt: null,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
});

function writeConsole(folder: string): string {
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(
    join(dist, 'index.html'),
    '<!doctype html><meta name="nonce" content="__CSP_NONCE__"><div id="root">',
  );
  writeFileSync(join(dist, 'assets', 'index-abc123.js'), `console.log(${JSON.stringify('x'.repeat(5000))})`);
  return dist;
}

/** The whole service on a real embedded store in its own folder, without a port. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'kaptain-test-'));
  const { logs, lines } = memoryLogs();
  const { metricsAccess } = options;
  const metrics = metricsAccess && { collected: new Metrics('9.8.7'), access: metricsAccess };
  const { database, pepper } = options;
  if (options.folder === undefined) await writeEmptyDatabase(folder);
  const sealed = await openSealed(database, { dataDir: folder, pepper });
  const store = logTrail(sealed, logs.app, (entry) => metrics?.collected.countEntry(entry));
  if (options.settingsFile)
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(options.settingsFile));
  const settings = openSettings({ dataDir: folder, ...(options.disk && { files: options.disk }) });
  const restarts: TestApp['restarts'] = { asked: 0 };
  const shared =
    options.sharing &&
    shareSettings({
      ...options.sharing,
      store,
      settings,
      certificates: new CertificateFiles(folder),
      version: '9.8.7',
      joined: await joinShared(store, settings, { dataDir: folder, pepper }),
      restart: () => void restarts.asked++,
      log: logs.system,
    });
  let passed = 0;
  let ahead = 0;
  const clock = () => Date.now() + passed + ahead;
  const app = buildApp({
    version: '9.8.7',
    store,
    database: database?.KAPTAIN_DB ?? 'embedded',
    pepper,
    metrics,
    shared,
    settings: { ...settings, current: () => ({ ...settings.current(), ...options.settings }) },
    logs,
    passwords: options.passwords ?? cheapPasswords,
    clock,
    uptime: () => performance.now() + passed,
    setupToken: options.setupToken,
    publicHosts: options.publicHosts ?? [],
    trustedProxies: options.trustedProxies ?? [],
    dataDir: folder,
    logFolder: join(folder, 'logs'),
    allowedFolders: [],
    port: 8000,
    granuleBytes: options.granuleBytes ?? limits.granuleBytes,
    licenseKey: options.licenseKey ?? '',
    tls: options.tls,
    restarts: {
      request: () => void restarts.asked++,
      lastAt: () => 0,
      lastFailure: () => restarts.failure,
    },
    openDatabase: options.openDatabase ?? (() => openEmbeddedStore({ file: join(folder, 'kaptain.db') })),
    scriptLogFolder: join(folder, 'script-logs'),
    keysFolder: join(folder, 'keys'),
    temporaryFolder: join(folder, 'tmp'),
    consoleFolder: options.isConsoleBuilt === false ? join(folder, 'nowhere') : writeConsole(folder),
    areAnswersChecked: options.areAnswersChecked ?? true,
    consoleConfig: { variant: 'default', serviceUrl: '' },
    addressRules: options.addressRules ?? { login: [], wrongSetupToken: [] },
    ...(options.timeouts && { timeouts: options.timeouts }),
  });
  const asNobody = callerOf(app.http);
  const logIn = async (username: string): Promise<Caller> => {
    const { body } = await asNobody.post('/auth/login', { username, password: PASSWORD });
    return callerOf(app.http, body.accessToken);
  };
  return {
    ...app,
    store,
    settings,
    restarts,
    folder,
    logLines: lines,
    now: clock,
    advance: (ms) => {
      passed += ms;
    },
    setClock: (ms) => {
      ahead += ms;
    },
    asNobody,
    async asUser(name = 'vera', change = {}) {
      const passwordHash = await cheapPasswords.hash(PASSWORD);
      const [known] = await store.users.findBy('nameKey', foldName(name));
      if (!known) await store.users.insert({ ...newUser(name, passwordHash), ...change });
      return logIn(name);
    },
    async asAdmin() {
      await asNobody.post('/api/user/init', { username: 'admin', password: PASSWORD });
      return logIn('admin');
    },
    async [Symbol.asyncDispose]() {
      app.http.server.closeAllConnections();
      await app.http.close();
      await store.close();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
