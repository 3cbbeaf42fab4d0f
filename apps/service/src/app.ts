import { api, type ConsoleConfig, type KaptainApi } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { FastifyInstance } from 'fastify';
import type { OpenDatabase } from './config/settings/open-database.ts';
import type { TlsOptions } from './config/settings/tls.ts';
import type { KeptSettings } from './config/settings.ts';
import { serveDocs } from './docs/serve-docs.ts';
import { aboutRoutes } from './features/about/about.routes.ts';
import { accountRoutes } from './features/account/account.routes.ts';
import { apiKeysRoutes } from './features/api-keys/api-keys.routes.ts';
import { auditRoutes } from './features/audit/audit.routes.ts';
import { dataApiRoutes } from './features/data-api/data-api.routes.ts';
import { downloadsRoutes } from './features/downloads/downloads.routes.ts';
import { granulesRoutes } from './features/granules/granules.routes.ts';
import { groupsRoutes } from './features/groups/groups.routes.ts';
import { jobsRoutes } from './features/jobs/jobs.routes.ts';
import { kapsuleCreation } from './features/kapsules/create-kapsule.ts';
import { kapsulesRoutes } from './features/kapsules/kapsules.routes.ts';
import { logsRoutes } from './features/logs/logs.routes.ts';
import { qvdImport } from './features/qvd-import/qvd-import.ts';
import { createFirstAdmin } from './features/session/first-admin.ts';
import { createLogin } from './features/session/login.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { licenseOf } from './features/settings/license.ts';
import { settingsRoutes } from './features/settings/settings.routes.ts';
import { settingsParts } from './features/settings/settings-parts.ts';
import { connectionTesters } from './features/settings/testers.ts';
import { statusRoutes } from './features/status/status.routes.ts';
import { systemLogsRoutes } from './features/system-logs/system-logs.routes.ts';
import { usersRoutes } from './features/users/users.routes.ts';
import { authenticator, callerFinder, ticketRedeemer } from './http/authenticate.ts';
import { ConcurrencyLimit } from './http/concurrency-limit.ts';
import { createServer, type Timeouts } from './http/create-server.ts';
import { AnswerCache } from './http/answer-cache.ts';
import { OpenAnswers } from './http/open-answers.ts';
import { type Registry, serveApi } from './http/serve.ts';
import { serveConsole } from './http/serve-console.ts';
import { strictTransport } from './http/strict-transport.ts';
import { TemporaryFiles } from './http/temporary-files.ts';
import { Uploads } from './http/uploads.ts';
import { DataSources } from './kapsule-rules/data-sources.ts';
import type { Logs } from './logging/logs.ts';
import { RateLimit, type RateRule } from './security/rate-limit.ts';
import { type ApiKeys, createApiKeys } from './security/api-keys.ts';
import { createDevices, type Devices } from './security/devices.ts';
import { PasswordTries } from './security/password-tries.ts';
import type { Passwords } from './security/passwords.ts';
import { pepperIn } from './security/pepper.ts';
import { createSessions, type Sessions } from './security/sessions.ts';
import { createTickets, type Tickets } from './security/tickets.ts';
import { createWatermarks, type Watermarks } from './security/watermarks.ts';
import type { Restarts } from './supervisor/restarts.ts';

/** Everything the app needs from outside; nothing else is read, opened or started. */
export interface AppDeps {
  version: string;
  store: Store;
  settings: KeptSettings;
  logs: Logs;
  passwords: Passwords;
  /** The time of day, which may be set back or ahead. */
  clock: () => number;
  /** Milliseconds since the process began; goes neither back nor ahead. */
  uptime: () => number;
  setupToken: string | undefined;
  publicHosts: readonly string[];
  /** Secrets of the service that do not belong into its database. */
  keysFolder: string;
  /** Shared by all instances on one database, so that an API key works on each of them. */
  pepper?: string | undefined;
  /** Everything the service keeps lies in here. */
  dataDir: string;
  /** Where the two logs of the service are written. */
  logFolder: string;
  /** Where the platform's script logs lie. */
  scriptLogFolder: string;
  /** For files that live as long as one request. */
  temporaryFolder: string;
  trustedProxies: readonly string[];
  /** Folders beside the data folder that settings may point into. */
  allowedFolders: readonly string[];
  port: number;
  /** What the data of one granule may have at most. */
  granuleBytes: number;
  /** With which signed licenses are checked; empty where none are expected. */
  licenseKey: string;
  /** Plain HTTP without it. */
  tls: TlsOptions | undefined;
  restarts: Restarts;
  /** The database that settings name, opened beside the one in use. */
  openDatabase: OpenDatabase;
  consoleFolder: string;
  consoleConfig: ConsoleConfig;
  addressRules: { login: readonly RateRule[]; wrongSetupToken: readonly RateRule[] };
  areAnswersChecked: boolean;
  timeouts?: Partial<Timeouts>;
}

const MINUTE = 60_000;
export const standardAddressRules: AppDeps['addressRules'] = {
  login: [
    { count: 10, perMs: MINUTE },
    { count: 100, perMs: 60 * MINUTE },
  ],
  wrongSetupToken: [{ count: 5, perMs: MINUTE }],
};

export interface App {
  http: FastifyInstance;
  dataSources: DataSources;
}

interface Parts {
  dataSources: DataSources;
  sessions: Sessions;
  apiKeys: ApiKeys;
  tickets: Tickets;
  devices: Devices;
  watermarks: Watermarks;
  /** Aborts when the service stops: long answers end then. */
  stopping: AbortSignal;
}

/** The one registry of features: every call of the contract has its place here. */
function registry(deps: AppDeps, parts: Parts): Registry<KaptainApi> {
  const { tickets, devices } = parts;
  const { store, version, clock, uptime, addressRules } = deps;
  // Every call that verifies a password counts on the same limits.
  const addressLimit = new RateLimit(addressRules.login, uptime);
  const passwordTries = new PasswordTries();
  const common = { ...deps, ...parts, addressLimit, passwordTries, log: deps.logs.app };
  const login = createLogin(common);
  const wrongTokenLimit = new RateLimit(addressRules.wrongSetupToken, uptime);
  return {
    session: sessionRoutes({ login, devices, firstAdmin: createFirstAdmin({ ...common, wrongTokenLimit }) }),
    about: aboutRoutes(store, version),
    kapsules: kapsulesRoutes(common, new AnswerCache(store, clock, 64)),
    granules: { ...granulesRoutes(common), importQvd: qvdImport(common) },
    dataApi: dataApiRoutes({ ...common, createKapsule: kapsuleCreation(common) }),
    downloads: downloadsRoutes(tickets),
    apiKeys: apiKeysRoutes(common),
    groups: groupsRoutes(common),
    users: usersRoutes(common),
    logs: logsRoutes(common),
    jobs: jobsRoutes(common),
    systemLogs: systemLogsRoutes(deps.logFolder),
    status: statusRoutes({ ...deps, testers: connectionTesters(deps), license: licenseOf(deps) }),
    settings: settingsRoutes({ ...common, ...settingsParts(deps) }),
    account: accountRoutes(common),
    audit: auditRoutes(store),
  };
}

/** The service without a process: no port, no file, no signal. */
export function buildApp(deps: AppDeps): App {
  const { settings, logs, trustedProxies, timeouts } = deps;
  const sessions = createSessions(deps.store, settings, deps.clock);
  const pepper = pepperIn(deps.keysFolder, deps.pepper);
  const apiKeys = createApiKeys({ ...deps, pepper });
  const devices = createDevices({ ...deps, pepper });
  const dataSources = new DataSources(deps);
  const stopping = new AbortController();
  const tickets = createTickets({ ...deps, sessions });
  const temporaryFiles = new TemporaryFiles(deps.temporaryFolder);
  const http = createServer({
    log: logs.system,
    trustedProxies,
    allowedOrigins: () => settings.current().corsAllowOrigins,
    tls: deps.tls,
    ...(timeouts && { timeouts }),
  });
  const parts = { dataSources, sessions, apiKeys, tickets, devices, watermarks: createWatermarks(pepper) };
  serveApi(http, api, registry(deps, { ...parts, stopping: stopping.signal }), {
    authenticate: authenticator(sessions, apiKeys),
    redeemTicket: ticketRedeemer(tickets),
    presentCaller: callerFinder(sessions, apiKeys),
    uploads: new Uploads(temporaryFiles),
    streams: new ConcurrencyLimit(4, 16),
    openAnswers: new OpenAnswers(),
    apiKeysOn: () => settings.current().apiKey,
    areAnswersChecked: deps.areAnswersChecked,
  });
  http.addHook('preClose', async () => stopping.abort());
  http.addHook('onClose', () => dataSources.close());
  if (deps.tls) http.addHook('onSend', strictTransport(settings, deps.clock));
  http.addHook('onReady', async () => temporaryFiles.sweep());
  serveDocs(http, deps.version);
  serveConsole(http, deps.consoleFolder, deps.consoleConfig);
  return { http, dataSources };
}
