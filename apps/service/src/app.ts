import { api, type ConsoleConfig, type KaptainApi } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { FastifyInstance } from 'fastify';
import type { MetricsAccess } from './base/config/boot-config.ts';
import type { TlsOptions } from './base/config/settings/tls.ts';
import type { KeptSettings } from './base/config/settings.ts';
import type { OpenDatabase } from './base/database/open-database.ts';
import type { Logs } from './base/logging/logs.ts';
import { factorKeyOf, pepperIn } from './base/secrets/pepper.ts';
import { MINUTE_MS } from './base/time/durations.ts';
import { AnswerCache } from './http/answers/answer-cache.ts';
import { OpenAnswers } from './http/answers/open-answers.ts';
import { serveConsole } from './http/console/serve-console.ts';
import { serveDocs } from './http/docs/serve-docs.ts';
import { ConcurrencyLimit } from './http/limits/concurrency-limit.ts';
import { RateLimit, type RateRule } from './http/limits/rate-limit.ts';
import { createServer, type Timeouts } from './http/server/create-server.ts';
import { type Admission, type Registry, serveApi } from './http/server/serve-api.ts';
import { strictTransport } from './http/server/strict-transport.ts';
import { TemporaryFiles } from './http/uploads/temporary-files.ts';
import { Uploads } from './http/uploads/uploads.ts';
import { accountRoutes } from './identity/account/account.routes.ts';
import { apiKeysRoutes } from './identity/api-keys/api-keys.routes.ts';
import { type ApiKeys, createApiKeys } from './identity/api-keys/api-keys.ts';
import { extensionRoutes } from './identity/extension/extension.routes.ts';
import { createExtensionAccess, type ExtensionAccess } from './identity/extension/extension-access.ts';
import { PlatformProof } from './identity/extension/platform-proof.ts';
import { serveWindow } from './identity/extension/window/serve-window.ts';
import { groupsRoutes } from './identity/groups/groups.routes.ts';
import { createProvider, type UsedProvider } from './identity/oidc/provider.ts';
import { createProviderFlows, type ProviderFlows } from './identity/oidc/provider-flows.ts';
import { createProviderGrants, type ProviderGrants } from './identity/oidc/provider-grants.ts';
import { createProviderLogin } from './identity/oidc/provider-login.ts';
import { createProviderRecheck } from './identity/oidc/provider-recheck.ts';
import { createProviderTests, type ProviderTests } from './identity/oidc/provider-tests.ts';
import { serveProvider } from './identity/oidc/serve-provider.ts';
import { AttemptQueue } from './identity/passwords/attempt-queue.ts';
import { createAttempts } from './identity/passwords/attempts.ts';
import { createDevices, type Devices } from './identity/passwords/devices.ts';
import type { Passwords } from './identity/passwords/passwords.ts';
import { createRecentProof, identityCheck, type RecentProof } from './identity/second-factor/identity.ts';
import { createPasskeys, type Passkeys } from './identity/second-factor/passkeys.ts';
import { secondFactorRoutes } from './identity/second-factor/second-factor.routes.ts';
import { createSecondFactors, type SecondFactors } from './identity/second-factor/second-factor.ts';
import { createSecondFactorLogin } from './identity/second-factor/second-factor-login.ts';
import { authenticator, callerFinder, ticketRedeemer } from './identity/sessions/authenticate.ts';
import { type Challenges, createChallenges } from './identity/sessions/challenges.ts';
import { createFirstAdmin } from './identity/sessions/first-admin.ts';
import { createLogin } from './identity/sessions/login.ts';
import { sessionRoutes } from './identity/sessions/session.routes.ts';
import { createSessions, type Sessions } from './identity/sessions/sessions.ts';
import { downloadsRoutes } from './identity/tickets/downloads.routes.ts';
import { createTickets, type Tickets } from './identity/tickets/tickets.ts';
import { usersRoutes } from './identity/users/users.routes.ts';
import { approvalsRoutes } from './kapsules/approvals/approvals.routes.ts';
import { dataApiRoutes } from './kapsules/data-api/data-api.routes.ts';
import { SheetLimit } from './kapsules/data-api/sheet-limit.ts';
import { createWatermarks, type Watermarks } from './kapsules/data-api/watermarks.ts';
import { DataSources } from './kapsules/data-sources/data-sources.ts';
import { deletedKapsulesRoutes } from './kapsules/deleted-kapsules/deleted-kapsules.routes.ts';
import { granulesRoutes } from './kapsules/granules/granules.routes.ts';
import { createKapsule } from './kapsules/kapsules/create-kapsule.ts';
import { giveKapsules } from './kapsules/kapsules/give-kapsules.ts';
import { readableOnSheet } from './kapsules/kapsules/kapsule-access.ts';
import { kapsulesRoutes } from './kapsules/kapsules/kapsules.routes.ts';
import { proposalsRoutes } from './kapsules/proposals/proposals.routes.ts';
import { createKnownValues } from './kapsules/values/known-values.ts';
import { viewsRoutes } from './kapsules/views/views.routes.ts';
import { aboutRoutes } from './operations/about/about.routes.ts';
import { auditRoutes } from './operations/audit/audit.routes.ts';
import { connectionTesters } from './operations/checks/connection-testers.ts';
import { licenseOf } from './operations/checks/license.ts';
import type { Shared } from './operations/instances/share-settings.ts';
import { metricSources } from './operations/metrics/metric-sources.ts';
import type { Metrics } from './operations/metrics/metrics.ts';
import { serveMetrics } from './operations/metrics/serve-metrics.ts';
import { settingsRoutes } from './operations/settings/settings.routes.ts';
import { settingsServices } from './operations/settings/settings-services.ts';
import { statusRoutes } from './operations/status/status.routes.ts';
import type { Restarts } from './operations/supervisor/restarts.ts';
import { systemLogsRoutes } from './operations/system-logs/system-logs.routes.ts';
import { jobsRoutes } from './platform/jobs/jobs.routes.ts';
import { logsRoutes } from './platform/logs/logs.routes.ts';
import { reloadApp } from './platform/reloads/reload-app.ts';

/** All dependencies of the app: it reads, opens and starts nothing else. */
export interface AppDeps {
  version: string;
  store: Store;
  /** The kind of the store. */
  database: 'embedded' | 'postgres' | 'mongodb';
  /** The database had the mark of other keys when the service started. */
  hasOtherKeys?: boolean;
  settings: KeptSettings;
  logs: Logs;
  passwords: Passwords;
  /** The time of day, which may be set back or ahead. */
  clock: () => number;
  /** Milliseconds since the process started: a monotonic clock. */
  uptime: () => number;
  setupToken: string | undefined;
  publicHosts: readonly string[];
  /** Secrets of the service that must not be in its database. */
  keysFolder: string;
  /** Shared by all instances on one database, so that an API key works on each of them. */
  pepper?: string | undefined;
  /** The folder of all files of the service. */
  dataDir: string;
  /** The folder of the system log and the app log. */
  logFolder: string;
  /** The folder of the platform's script logs. */
  scriptLogFolder: string;
  /** For files that last as long as one request. */
  temporaryFolder: string;
  trustedProxies: readonly string[];
  /** Folders outside the data folder that paths in the settings may lead into. */
  allowedFolders: readonly string[];
  port: number;
  /** The size limit for the data of one granule. */
  granuleBytes: number;
  /** The public key that verifies licenses; empty when none are expected. */
  licenseKey: string;
  /** Undefined means plain HTTP. */
  tls: TlsOptions | undefined;
  restarts: Restarts;
  /** Undefined when this instance is the only one on its database. */
  shared?: Shared | undefined;
  /** Opens the database that settings name, beside the one in use. */
  openDatabase: OpenDatabase;
  consoleFolder: string;
  consoleConfig: ConsoleConfig;
  addressRules: { login: readonly RateRule[]; wrongSetupToken: readonly RateRule[] };
  areAnswersChecked: boolean;
  timeouts?: Partial<Timeouts>;
  /** Undefined: there are no metrics. */
  metrics?: { collected: Metrics; access: MetricsAccess } | undefined;
}

export const standardAddressRules: AppDeps['addressRules'] = {
  login: [
    { count: 10, perMs: MINUTE_MS },
    { count: 100, perMs: 60 * MINUTE_MS },
  ],
  wrongSetupToken: [{ count: 5, perMs: MINUTE_MS }],
};

export interface App {
  http: FastifyInstance;
  dataSources: DataSources;
}

interface SharedDeps {
  dataSources: DataSources;
  sessions: Sessions;
  apiKeys: ApiKeys;
  extensionAccess: ExtensionAccess;
  tickets: Tickets;
  /** Refuses a caller without a required second factor, or without a recent proof of identity where one is needed. */
  checkIdentity: Admission['checkIdentity'];
  recentProof: RecentProof;
  devices: Devices;
  challenges: Challenges;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  provider: () => UsedProvider | undefined;
  providerFlows: ProviderFlows;
  providerGrants: ProviderGrants;
  providerTests: ProviderTests;
  watermarks: Watermarks;
  eventStreams: ConcurrencyLimit;
  /** Aborts when the service stops, which ends long answers. */
  stopping: AbortSignal;
}

/** The only registry of features: it has a handler for every call of the contract. */
function registry(deps: AppDeps, parts: SharedDeps): Registry<KaptainApi> {
  const { devices } = parts;
  const { store, version, clock, uptime, addressRules } = deps;
  // Shared by all calls that verify a password.
  const addressLimit = new RateLimit(addressRules.login, uptime);
  const attemptQueue = new AttemptQueue();
  const attempts = createAttempts({ ...deps, ...parts, addressLimit, attemptQueue });
  const limits = { addressLimit, attemptQueue, attempts, sheetLimit: new SheetLimit(uptime) };
  const readKnownValues = createKnownValues({ ...deps, ...parts });
  const common = { ...deps, ...parts, ...limits, readKnownValues, log: deps.logs.app };
  const login = createLogin(common);
  const wrongTokenLimit = new RateLimit(addressRules.wrongSetupToken, uptime);
  return {
    session: sessionRoutes({
      login,
      secondFactorLogin: createSecondFactorLogin(common),
      providerLogin: createProviderLogin(common),
      provider: parts.provider,
      devices,
      firstAdmin: createFirstAdmin({ ...common, wrongTokenLimit }),
    }),
    about: aboutRoutes(store, version),
    kapsules: kapsulesRoutes(common, new AnswerCache(store, clock, 64)),
    deletedKapsules: deletedKapsulesRoutes(common),
    proposals: proposalsRoutes(common),
    granules: granulesRoutes(common),
    views: viewsRoutes(common),
    approvals: approvalsRoutes(common),
    dataApi: dataApiRoutes({ ...common, createKapsule: createKapsule(common), reload: reloadApp(common) }),
    extension: extensionRoutes({ ...common, proof: new PlatformProof(common), readableOnSheet }),
    downloads: downloadsRoutes(parts),
    apiKeys: apiKeysRoutes(common),
    groups: groupsRoutes(common),
    users: usersRoutes({ ...common, giveKapsules }),
    logs: logsRoutes(common),
    jobs: jobsRoutes(common),
    systemLogs: systemLogsRoutes({ ...deps, instance: () => deps.shared?.instances.name }),
    status: statusRoutes({ ...deps, testers: connectionTesters(deps), license: licenseOf(deps) }),
    settings: settingsRoutes({
      ...common,
      ...settingsServices({ ...deps, shared: deps.shared }),
      shared: deps.shared,
    }),
    account: accountRoutes(common),
    secondFactor: secondFactorRoutes(common),
    audit: auditRoutes(common),
  };
}

/** The service without a process: it opens no port and handles no signal. */
export function buildApp(deps: AppDeps): App {
  const { settings, logs, trustedProxies, timeouts, metrics } = deps;
  const pepper = pepperIn(deps.keysFolder, deps.pepper);
  const key = factorKeyOf(pepper);
  const challenges = createChallenges(deps.clock);
  const provider = createProvider(settings, deps.clock);
  const providerFlows = createProviderFlows(key, deps.clock);
  const providerGrants = createProviderGrants({ ...deps, provider, key });
  const providerTests = createProviderTests({ ...deps, challenges, providerFlows, key });
  const signIn = { challenges, provider, providerFlows, providerGrants, providerTests };
  const recheck = createProviderRecheck({ ...deps, provider, key, log: logs.system });
  const sessions = createSessions({ ...deps, recheck });
  const apiKeys = createApiKeys({ ...deps, pepper });
  const dataSources = new DataSources(deps);
  const stopping = new AbortController();
  const tickets = createTickets({ ...deps, sessions });
  const recentProof = createRecentProof(settings, deps.clock);
  const checkIdentity = identityCheck(settings, recentProof);
  const temporaryFiles = new TemporaryFiles(deps.temporaryFolder);
  const http = createServer({
    log: logs.system,
    trustedProxies,
    allowedOrigins: () => settings.current().corsAllowOrigins,
    tls: deps.tls,
    ...(timeouts && { timeouts }),
    ...(metrics && { onAnswer: metrics.collected.observeAnswer.bind(metrics.collected) }),
  });
  const uploads = new Uploads(temporaryFiles);
  const streams = new ConcurrencyLimit(4, 16);
  const eventStreams = new ConcurrencyLimit(20, 1000);
  const credentials = { sessions, apiKeys, extensionAccess: createExtensionAccess({ ...deps, sessions }) };
  const parts = {
    ...credentials,
    ...signIn,
    secondFactors: createSecondFactors(key),
    passkeys: createPasskeys(challenges, deps.clock),
    dataSources,
    tickets,
    checkIdentity,
    recentProof,
    devices: createDevices({ ...deps, pepper }),
    watermarks: createWatermarks(pepper),
    eventStreams,
  };
  serveApi(http, api, registry(deps, { ...parts, stopping: stopping.signal }), {
    authenticate: authenticator(credentials),
    redeemTicket: ticketRedeemer(tickets),
    presentCaller: callerFinder(credentials),
    uploads,
    streams,
    lists: new ConcurrencyLimit(8, 64),
    openAnswers: new OpenAnswers(),
    checkIdentity,
    apiKeysOn: () => settings.current().apiKey,
    areAnswersChecked: deps.areAnswersChecked,
  });
  settings.onChange(() => logs.setLevel(settings.current().logLevel));
  http.addHook('preClose', async () => stopping.abort());
  http.addHook('onClose', () => dataSources.close());
  if (deps.tls) http.addHook('onSend', strictTransport(settings, deps.clock));
  http.addHook('onReady', async () => temporaryFiles.sweep());
  if (metrics) {
    const permits = { uploads: uploads.limit, streams, 'event streams': eventStreams };
    metrics.collected.watch(metricSources({ ...deps, dataSources }, permits));
    serveMetrics(http, metrics.collected, metrics.access);
  }
  serveDocs(http, deps.version);
  serveWindow(http, settings, provider, deps.consoleConfig.variant);
  const testedProvider = (secret: string) => providerTests.find(secret);
  serveProvider(http, { ...deps, ...signIn, testedProvider, log: logs.system });
  serveConsole(http, deps.consoleFolder, deps.consoleConfig);
  return { http, dataSources };
}
