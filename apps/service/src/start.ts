import { join, resolve } from 'node:path';
import { openEmbeddedStore, type Store, UnavailableError } from '@kaptain/store';
import packageJson from '../package.json' with { type: 'json' };
import type { App } from './app.ts';
import { type BootConfig, readBootConfig } from './config/boot-config.ts';
import { ConfigError } from './config/config-error.ts';
import { makeFolder } from './config/make-folder.ts';

const DRAIN_MS = 10_000;
const consoleFolder = join(import.meta.dirname, '..', '..', 'console', 'dist');

export interface Service {
  /** One friendly line for the terminal. */
  greeting: string;
  stop(): Promise<void>;
  /** Writes down why the process is about to end unexpectedly. */
  lastWords(error: unknown): Promise<void>;
}

async function openStore(dataDir: string): Promise<Store> {
  try {
    return await openEmbeddedStore({ file: join(dataDir, 'kaptain.db') });
  } catch (error) {
    if (error instanceof UnavailableError) throw new ConfigError(error.message);
    throw error;
  }
}

async function listen({ http }: App, { host, port }: BootConfig): Promise<string> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    switch ((error as { code?: unknown }).code) {
      case 'EADDRINUSE':
        throw new ConfigError(
          `Port ${port} is already in use. Stop the other program, or start with KAPTAIN_PORT=${port + 1} (or any free port).`,
        );
      case 'EACCES':
        throw new ConfigError(
          `Port ${port} needs more rights than this user has. Choose one above 1023 with KAPTAIN_PORT.`,
        );
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new ConfigError(
          `This computer has no address ${host}. Correct KAPTAIN_HOST, e.g. 127.0.0.1 or 0.0.0.0.`,
        );
      default:
        throw error;
    }
  }
  const address = http.server.address();
  const shown = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host;
  return `http://${shown}:${typeof address === 'object' && address ? address.port : port}`;
}

/** Stops accepting, lets the requests in flight finish for a while, then closes what is left. */
async function drain({ http }: App): Promise<void> {
  const impatience = setTimeout(() => http.server.closeAllConnections(), DRAIN_MS);
  await http.close();
  clearTimeout(impatience);
}

/** Boot config → logs → store → app → port. Whatever can be set right by the admin is a ConfigError. */
export async function start(env: NodeJS.ProcessEnv): Promise<Service> {
  const boot = readBootConfig(env);
  makeFolder(boot.dataDir);
  // The database opens on its own thread while this one loads the rest of the service.
  const [store, parts] = await Promise.all([openStore(boot.dataDir), import('./parts.ts')]);
  const settings = parts.openSettings({ dataDir: boot.dataDir });
  const { logLevel, logPath } = settings.current();
  const logFolder = logPath === '' ? join(boot.dataDir, 'logs') : resolve(boot.dataDir, logPath);
  makeFolder(logFolder);
  const logs = parts.createLogs({ folder: logFolder, level: logLevel });
  const { version } = packageJson;
  const app = parts.buildApp({
    ...boot,
    version,
    store,
    settings,
    logs,
    passwords: parts.createPasswords(),
    clock: Date.now,
    logFolder,
    tls: undefined,
    restarts: { request: () => undefined, lastAt: () => 0, lastFailure: () => undefined },
    openDatabase: () => openStore(boot.dataDir),
    keysFolder: join(boot.dataDir, 'keys'),
    temporaryFolder: join(boot.dataDir, 'tmp'),
    consoleFolder,
    consoleConfig: { variant: boot.variant, serviceUrl: boot.consoleServiceUrl },
    areAnswersChecked: false,
    addressRules: parts.standardAddressRules,
  });
  const url = await listen(app, boot);
  const runner = parts.startRunner({ ...boot, store, settings, log: logs.app, clock: Date.now });
  logs.system.info({ version, url }, 'service started');
  const isFirstVisit = (await store.instance.all()).length === 0;
  const hint = isFirstVisit ? ' Open it in a browser to create the admin account.' : '';
  return {
    greeting: `Kaptain ${version} is ready on ${url}${hint && `.${hint}`}`,
    async lastWords(error) {
      logs.system.error({ err: error }, 'service failed');
      await logs.close();
    },
    async stop() {
      logs.system.info({}, 'service stopping');
      await Promise.all([drain(app), runner.stop()]);
      await store.close();
      logs.system.info({}, 'service stopped');
      await logs.close();
    },
  };
}
