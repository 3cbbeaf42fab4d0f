import type { ProviderSettings } from '@kaptain/contract';
import type { JWTVerifyGetKey } from 'jose';
import type * as oidc from 'openid-client';
import { boundedFetch } from './bounded-fetch.ts';
import { isStated } from './provider-claims.ts';

const rules = {
  /** The metadata of the provider is fetched again after this time: endpoints and keys change. */
  metadataMs: 60 * 60_000,
  timeoutSeconds: 5,
  /** How far the clocks of provider and service may differ. */
  clockToleranceSeconds: 60,
  /** The most bytes of each answer of the provider. */
  answerBytes: 1024 * 1024,
} as const;

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The data that the end of a sign-in needs; sealed in the state parameter. */
interface Flow {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
}

export interface Tokens {
  claims: Record<string, unknown> & { iss: string; sub: string };
  idToken: string;
  refreshToken: string | undefined;
}

/** The answer to a refresh token. */
interface Refreshed {
  /** Undefined when the provider sends none; the last one stays in use. */
  idToken: string | undefined;
  refreshToken: string | undefined;
  /** The claims of today; undefined when the provider states none. Throws when it does not answer. */
  claims(): Promise<Tokens['claims'] | undefined>;
}

/** The request for a new proof of identity by the provider. */
export interface NewProof {
  /** The name of the person; absent before the sign-in is known. */
  loginHint?: string;
}

export interface LogoutToken {
  /** Unique among the tokens of the issuer. */
  id: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
}

/** A client of one OpenID Connect provider. */
export interface ProviderClient {
  /** Fetches the metadata; throws when the provider can't be used. */
  check(): Promise<void>;
  /** With `proof`, the person has to sign in again even while they are signed in at the provider. */
  authorizationUrl(flow: Flow, proof?: NewProof): Promise<URL>;
  /** Verifies state, issuer, audience, nonce, times and signature of the answer, and exchanges the code. */
  finish(callback: URL, flow: Flow): Promise<Tokens>;
  /** Undefined when the provider has ended the sign-in; throws when it does not answer. */
  refresh(tokens: { refreshToken: string; idToken: string }): Promise<Refreshed | undefined>;
  logoutUrl(idToken: string, returnTo: string): Promise<string | undefined>;
  readLogoutToken(token: string): Promise<LogoutToken>;
}

export function createProviderClient(settings: ProviderSettings, clock: () => number): ProviderClient {
  let cached: { config: oidc.Configuration; at: number } | undefined;
  let fetching: Promise<oidc.Configuration> | undefined;
  let keys: JWTVerifyGetKey | undefined;
  // Loaded on the first sign-in: most installations have no provider.
  const library = () => import('openid-client');
  const fetchBounded = boundedFetch(rules.answerBytes);
  const tokenLibrary = () => import('jose');

  async function discover(): Promise<oidc.Configuration> {
    const [client, { createRemoteJWKSet, customFetch }] = [await library(), await tokenLibrary()];
    const issuer = new URL(settings.issuer);
    const { clientSecret = '' } = settings;
    const config = await client.discovery(
      issuer,
      settings.clientId,
      {
        [client.clockTolerance]: rules.clockToleranceSeconds,
        // The clock of the service, which tests set.
        [client.clockSkew]: Math.round((clock() - Date.now()) / 1000),
      },
      clientSecret === '' ? client.None() : client.ClientSecretPost(clientSecret),
      {
        timeout: rules.timeoutSeconds,
        [client.customFetch]: (address, options) => fetchBounded(address, options as RequestInit),
        execute: [
          // The signature of the ID token is verified with the keys of the provider, beside TLS.
          client.enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    );
    cached = { config, at: clock() };
    const { jwks_uri: address } = config.serverMetadata();
    keys =
      address === undefined
        ? undefined
        : createRemoteJWKSet(new URL(address), {
            timeoutDuration: rules.timeoutSeconds * 1000,
            [customFetch]: fetchBounded,
          });
    return config;
  }

  async function configuration(): Promise<oidc.Configuration> {
    if (cached && Math.abs(clock() - cached.at) < rules.metadataMs) return cached.config;
    fetching ??= discover().finally(() => {
      fetching = undefined;
    });
    // A provider whose metadata can't be fetched again just now is used as before.
    return cached
      ? fetching.catch(() => cached?.config ?? Promise.reject(new Error('unreachable')))
      : fetching;
  }

  /** The claims of the ID token, completed by those of the userinfo endpoint when the mapping needs more. */
  async function claimsOf(
    config: oidc.Configuration,
    accessToken: string,
    stated: Tokens['claims'],
  ): Promise<Tokens['claims']> {
    const needed = [settings.usernameClaim, settings.rolesClaim].map((path) => path.split('.')[0] ?? '');
    const isWhole = needed.every((name) => name in stated);
    if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return stated;
    // The library refuses claims of another subject.
    const more = await (await library()).fetchUserInfo(config, accessToken, stated.sub);
    return { ...more, ...stated };
  }

  return {
    async check() {
      await discover();
    },
    async authorizationUrl({ redirectUri, state, nonce, verifier }, proof) {
      const [client, config] = [await library(), await configuration()];
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(proof && { prompt: 'login', max_age: '0' }),
        ...(proof?.loginHint !== undefined && { login_hint: proof.loginHint }),
      });
    },
    async finish(callback, { redirectUri, state, nonce, verifier }) {
      const [client, config] = [await library(), await configuration()];
      const current = new URL(redirectUri);
      current.search = callback.search;
      const answer = await client.authorizationCodeGrant(config, current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const stated = answer.claims();
      if (!stated) throw new Error('The provider sent no ID token.');
      return {
        claims: await claimsOf(config, answer.access_token, stated),
        idToken: answer.id_token ?? '',
        refreshToken: answer.refresh_token,
      };
    },
    async refresh({ refreshToken, idToken }) {
      const [client, config] = [await library(), await configuration()];
      const { decodeJwt } = await tokenLibrary();
      try {
        const answer = await client.refreshTokenGrant(config, refreshToken);
        const { iss = '', sub = '' } = decodeJwt(idToken);
        return {
          idToken: answer.id_token,
          refreshToken: answer.refresh_token,
          claims: async () => {
            const stated = answer.claims();
            const claims = await claimsOf(config, answer.access_token, stated ?? { iss, sub });
            // Without a new ID token only userinfo tells the claims of today, and some providers keep roles out of it.
            return stated || isStated(claims, settings.rolesClaim) ? claims : undefined;
          },
        };
      } catch (error) {
        if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return undefined;
        throw error;
      }
    },
    async logoutUrl(idToken, returnTo) {
      const [client, config] = [await library(), await configuration()];
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnTo };
      return client.buildEndSessionUrl(config, parameters).href;
    },
    async readLogoutToken(token) {
      const config = await configuration();
      if (!keys) throw new Error('The provider has no keys.');
      const { issuer } = config.serverMetadata();
      const { jwtVerify } = await tokenLibrary();
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: settings.clientId,
        clockTolerance: rules.clockToleranceSeconds,
        maxTokenAge: '5 minutes',
        currentDate: new Date(clock()),
      });
      const { events, sub, sid, nonce, jti } = payload;
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
      if (!isLogout || nonce !== undefined) throw new Error('This is no logout token.');
      if (typeof jti !== 'string' || jti === '') throw new Error('The logout token has no jti.');
      return { id: jti, issuer, subject: sub, sid: typeof sid === 'string' ? sid : undefined };
    },
  };
}
