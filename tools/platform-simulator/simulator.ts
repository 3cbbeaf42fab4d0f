import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { exampleApps, type SimulatedApp } from './apps.ts';
import { type Issued, issue } from './certificates.ts';
import type { EngineState } from './engine.ts';
import {
  type Authentication,
  addEngineEndpoint,
  closeServer,
  listen,
  listenOnTwo,
} from './engine-endpoint.ts';
import { answerProxy, type SimulatedSession } from './proxy-sessions.ts';
import { answerRepository } from './repository.ts';
import { type RestAnswer, type RestRequest, restListener } from './rest-answers.ts';
import { SimulatedTenant } from './saas.ts';
import { CLAIMS, type Ports, PROXY_PREFIX, settingsFor } from './settings-for.ts';
import { userOfToken } from './tokens.ts';

interface SimulatorOptions {
  /** The parent folder of `certificates` and `script-logs`. */
  folder: string;
  apps?: readonly SimulatedApp[];
  /** Free ports by default. */
  ports?: Ports;
}

const freePorts: Ports = { engine: 0, repository: 0, proxy: 0, tenant: 0, desktop: 0 };

/** Writes the platform's certificates under the file names of its export. */
function writeCertificates(folder: string) {
  const authority = issue({ name: 'Simulated platform CA', isAuthority: true });
  const server = issue({ name: 'localhost', by: authority, hosts: ['localhost', '127.0.0.1'] });
  const client = issue({ name: 'QlikClient (simulated)', by: authority });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwtKey = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
  write('root.pem', authority.certificate);
  write('client.pem', client.certificate);
  write('client_key.pem', client.key);
  write('jwt_key.pem', jwtKey);
  return { authority, server, jwtPublicKey: createPublicKey(privateKey) };
}

const tlsOf = ({ certificate, key }: Issued) => ({ cert: certificate, key });

/** Acting as a user needs the header; the TLS layer has already checked the client certificate. */
function authenticateHeader({ headers }: IncomingMessage): Authentication {
  const user = headers['x-qlik-user'];
  return typeof user === 'string' ? { user: decodeURIComponent(user) } : { status: 403 };
}

const bearer = (header: string | undefined) => /^Bearer (.+)$/.exec(header ?? '')?.[1];

/** Starts a simulated Qlik platform on this computer, with all four connection modes. */
export async function startSimulator({ folder, apps = exampleApps(), ports = freePorts }: SimulatorOptions) {
  const certificateFolder = join(folder, 'certificates');
  const { authority, server, jwtPublicKey } = writeCertificates(certificateFolder);
  const state: EngineState = {
    apps: new Map(apps.map((app) => [app.id, app])),
    logFolder: join(folder, 'script-logs'),
    orders: [],
  };
  const apiKey = `sim_${randomBytes(24).toString('base64url')}`;
  const tenant = new SimulatedTenant(state, apiKey);
  const sessions = new Map<string, SimulatedSession>();
  const mutual = { ...tlsOf(server), ca: authority.certificate, requestCert: true, rejectUnauthorized: true };

  const repository = (request: RestRequest): RestAnswer =>
    request.headers['x-qlik-user'] === undefined ? { status: 403 } : answerRepository(state, request);
  const tokenUser = (header: string | undefined) => {
    const token = bearer(header);
    return token === undefined ? undefined : userOfToken(token, jwtPublicKey, CLAIMS);
  };
  const proxied = (request: RestRequest): RestAnswer =>
    tokenUser(request.headers.authorization) ? answerRepository(state, request) : { status: 401 };

  const servers = {
    engine: createSecureServer(mutual),
    repository: createSecureServer(mutual, restListener('', repository)),
    proxyApi: createSecureServer(
      mutual,
      restListener('', (request) => answerProxy(sessions, request)),
    ),
    proxy: createServer(restListener(`/${PROXY_PREFIX}`, proxied)),
    tenant: createSecureServer(
      tlsOf(server),
      restListener('', (request) => tenant.answer(request)),
    ),
    desktop: createServer(),
  };
  addEngineEndpoint(servers.engine, state, '', authenticateHeader);
  addEngineEndpoint(servers.proxy, state, `/${PROXY_PREFIX}`, ({ headers }) => {
    if (headers.authorization === undefined) return 'asks for a login';
    const user = tokenUser(headers.authorization);
    return user ? { user } : { status: 401 };
  });
  addEngineEndpoint(servers.tenant, state, '', ({ headers }) =>
    bearer(headers.authorization) === apiKey ? { user: 'sim|user' } : { status: 401 },
  );
  addEngineEndpoint(servers.desktop, state, '', () => ({ user: 'Personal\\Me' }));

  const open: Ports = {
    engine: await listen(servers.engine, ports.engine),
    repository: await listenOnTwo(servers.repository, servers.proxyApi, ports.repository),
    proxy: await listen(servers.proxy, ports.proxy),
    tenant: await listen(servers.tenant, ports.tenant),
    desktop: await listen(servers.desktop, ports.desktop),
  };
  return {
    apps: state.apps,
    orders: state.orders,
    tenant,
    /** The sessions of people at the proxy, by the id in their cookie. */
    sessions,
    ports: open,
    certificateFolder,
    logFolder: state.logFolder,
    /** The certificate of the authority that signed the servers, as PEM. */
    authority: authority.certificate,
    /** The settings that connect a service to this simulator. */
    settings: settingsFor({ ports: open, certificateFolder, apiKey }),
    close: async () => {
      await Promise.all(Object.values(servers).map(closeServer));
    },
  };
}
export type Simulator = Awaited<ReturnType<typeof startSimulator>>;
