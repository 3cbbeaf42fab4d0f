import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { Provider, type ProviderClientMetadata } from 'oidc-provider';

export interface Person {
  sub: string;
  preferred_username: string;
  /** Undefined: userinfo does not have the claim. */
  groups: readonly string[] | undefined;
}

export const CLIENT = { id: 'kaptain', secret: 'a secret of the client' };

let keys = 0;
type Key = ReturnType<typeof newKey>;
function newKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: `key ${++keys}`, alg: 'ES256', use: 'sig' };
}

const client = (id: string, origins: readonly string[]): ProviderClientMetadata => ({
  client_id: id,
  client_secret: CLIENT.secret,
  redirect_uris: origins.map((origin) => `${origin}/auth/provider/callback`),
  post_logout_redirect_uris: origins.map((origin) => `${origin}/login`),
  backchannel_logout_uri: `${origins[0]}/auth/provider/backchannel-logout`,
  backchannel_logout_session_required: true,
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_post',
  id_token_signed_response_alg: 'ES256',
});

/** How the next ID tokens differ from those of the provider. */
interface Forgery {
  /** Null removes a claim. */
  claims?: Record<string, unknown>;
  /** Signed with a key that the provider does not publish, under the name of one that it does. */
  byForeignKey?: boolean;
  isUnsigned?: boolean;
  /** No ID token, which a provider may do when tokens are refreshed. */
  isLeftOut?: boolean;
}

async function forge(idToken: string, key: Key, forgery: Forgery): Promise<string> {
  const claims = Object.entries({ ...decodeJwt(idToken), ...forgery.claims });
  const payload = Object.fromEntries(claims.filter(([, value]) => value !== null)) as JWTPayload;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  if (forgery.isUnsigned) return `${part({ alg: 'none' })}.${part(payload)}.`;
  const signer = (forgery.byForeignKey ? { ...newKey(), kid: key.kid } : key) as JWK;
  const header = { alg: 'ES256', kid: key.kid };
  return new SignJWT(payload).setProtectedHeader(header).sign(await importJWK(signer, 'ES256'));
}

/** A real OpenID Connect provider on this computer; it signs in the present person without a form. */
export async function startProvider(origins: readonly string[] = ['http://localhost']) {
  const people = new Map<string, Person>();
  let present = '';
  let signedInAt: number | undefined;
  let hasUserInfo = true;
  let forgery: Forgery | undefined;
  let held: Promise<void> | undefined;
  let server: Server;
  let port = 0;
  let provider: Provider;

  function build(key: Key): Provider {
    const made = new Provider(`http://localhost:${port}`, {
      clients: [client(CLIENT.id, origins), client('another-client', origins)],
      jwks: { keys: [key] },
      cookies: { keys: ['a key of the cookies'] },
      claims: { openid: ['sub', 'sid'], profile: ['preferred_username'], groups: ['groups'] },
      scopes: ['openid', 'profile', 'groups', 'offline_access'],
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      ttl: {
        Interaction: 600,
        Grant: 3600,
        Session: 3600,
        AccessToken: 3600,
        RefreshToken: 3600,
        IdToken: 3600,
      },
      issueRefreshToken: async () => true,
      rotateRefreshToken: () => true,
      findAccount: async (_: unknown, sub: string) => {
        const person = people.get(sub);
        return person && { accountId: sub, claims: async () => ({ ...person }) };
      },
      async loadExistingGrant(ctx) {
        const grant = new made.Grant({
          clientId: ctx.oidc.client.clientId,
          accountId: ctx.oidc.session.accountId,
        });
        grant.addOIDCScope('openid profile groups offline_access');
        await grant.save();
        return grant;
      },
    });
    made.use(async (ctx, next) => {
      if (ctx.path === '/me' && !hasUserInfo) {
        ctx.res.writeHead(503).end();
        ctx.respond = false;
        return;
      }
      if (!ctx.path.startsWith('/interaction/')) {
        if (ctx.path === '/token') await held;
        await next();
        const idToken = ctx.path === '/token' ? ctx.body?.id_token : undefined;
        if (ctx.body && idToken && forgery?.isLeftOut) delete ctx.body.id_token;
        else if (ctx.body && idToken && forgery) ctx.body.id_token = await forge(idToken, key, forgery);
        return;
      }
      await made.interactionFinished(ctx.req, ctx.res, {
        login: { accountId: present, ...(signedInAt !== undefined && { ts: signedInAt }) },
      });
      ctx.respond = false;
    });
    return made;
  }

  const listen = (key: Key) =>
    new Promise<void>((resolve) => {
      server = createServer((request, response) => void provider.callback()(request, response));
      server.listen(port, 'localhost', () => {
        ({ port } = server.address() as AddressInfo);
        provider = build(key);
        resolve();
      });
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  await listen(newKey());

  return {
    issuer: `http://localhost:${port}`,
    /** The person who signs in next, and when they say they did (seconds). */
    is(person: Person, at?: number): void {
      people.set(person.sub, person);
      present = person.sub;
      signedInAt = at;
    },
    /** Other claims of a person who stays signed in. */
    change: (person: Person) => people.set(person.sub, person),
    /** Changes every ID token from now on. */
    forges(given: Forgery | undefined): void {
      forgery = given;
    },
    /** While false, the userinfo endpoint answers with 503. */
    setUserInfo(isThere: boolean): void {
      hasUserInfo = isThere;
    },
    /** Answers no request for tokens until the returned function is called. */
    holdTokens(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    remove: (sub: string) => people.delete(sub),
    close,
    /** Starts again with another key, which the service has not seen. */
    async rotateKeys(): Promise<void> {
      await close();
      await listen(newKey());
    },
    async logoutToken(
      sub: string,
      change: Record<string, unknown> = {},
      clientId = CLIENT.id,
    ): Promise<string> {
      const found = await provider.Client.find(clientId);
      const token = new provider.IdToken({ sub }, { client: found, ctx: undefined });
      token.mask = { sub: null };
      token.set('events', { 'http://schemas.openid.net/event/backchannel-logout': {} });
      token.set('jti', randomUUID());
      for (const [name, value] of Object.entries(change)) token.set(name, value);
      return token.issue({ use: 'logout' });
    },
    [Symbol.asyncDispose]: close,
  };
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

/** Follows the redirects of a browser at the provider, until one leads back to the service. */
export async function throughProvider(address: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  for (let hop = 0; hop < 10; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    at = new URL(location, at).href;
    if (new URL(at).pathname === '/auth/provider/callback') return at;
  }
  throw new Error('The provider redirects without end.');
}
