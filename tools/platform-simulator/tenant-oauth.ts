import { hash, randomBytes } from 'node:crypto';
import type { RestAnswer, RestRequest } from './rest-answers.ts';

/** The public client (single-page app) that the tenant's administrator has registered. */
export const OAUTH_CLIENT = 'simulated-client';

export interface TenantPerson {
  id: string;
  subject: string;
  status: string;
}

/** The request that an authorization code was issued for. */
interface Grant {
  challenge: string;
  redirectUri: string;
}

const html = (text: string): RestAnswer => ({
  status: 200,
  body: `<!doctype html><html lang="en"><title>Simulated tenant</title><h1>Simulated tenant</h1>${text}</html>`,
  headers: { 'content-type': 'text/html; charset=utf-8' },
});

const refused = (error: string): RestAnswer => ({ status: 400, body: { error } });

const newSecret = () => randomBytes(32).toString('base64url');

/**
 * The authorization server of a tenant: authorization code with PKCE for one public client
 * (https://qlik.dev/authenticate/oauth/, RFC 6749 and 7636).
 */
export class TenantOauth {
  /** Registered at the client. */
  readonly redirectUris = new Set<string>();
  readonly origins = new Set<string>();
  /** The user who is logged in to the tenant in the browser. */
  person: TenantPerson = { id: 'u0', subject: 'auth0|zoe', status: 'active' };
  /** Another state than the given one goes back, as from a forged link. */
  hasForgedState = false;
  readonly #codes = new Map<string, Grant>();
  readonly #issued: (token: string, person: TenantPerson) => void;

  constructor(issued: (token: string, person: TenantPerson) => void) {
    this.#issued = issued;
  }

  /** Undefined for calls of other parts of the tenant. */
  answer({ method, url, headers, body }: RestRequest): RestAnswer | undefined {
    const origin = headers.origin ?? '';
    const cors = {
      ...(this.origins.has(origin) && { 'access-control-allow-origin': origin }),
      'access-control-allow-headers': 'content-type',
      vary: 'origin',
    };
    switch (`${method} ${url.pathname}`) {
      case 'GET /oauth/authorize':
        return this.#ask(url.searchParams);
      case 'GET /oauth/decision':
        return this.#decide(url.searchParams);
      case 'OPTIONS /oauth/token':
        return { status: 204, headers: cors };
      case 'POST /oauth/token':
        return { ...this.#exchange((body ?? {}) as Record<string, string>), headers: cors };
      default:
        return undefined;
    }
  }

  #isValid(asked: URLSearchParams): boolean {
    return (
      asked.get('response_type') === 'code' &&
      asked.get('client_id') === OAUTH_CLIENT &&
      this.redirectUris.has(asked.get('redirect_uri') ?? '') &&
      asked.get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(asked.get('code_challenge') ?? '')
    );
  }

  #ask(asked: URLSearchParams): RestAnswer {
    if (!this.#isValid(asked)) return refused('invalid_request');
    const link = (decision: string) =>
      `<p><a href="/oauth/decision?${new URLSearchParams([...asked, ['decision', decision]])}">${decision}</a></p>`;
    return html(link('Approve') + link('Deny'));
  }

  #decide(asked: URLSearchParams): RestAnswer {
    if (!this.#isValid(asked)) return refused('invalid_request');
    const redirectUri = asked.get('redirect_uri') ?? '';
    const back = new URL(redirectUri);
    if (asked.get('decision') === 'Approve') {
      const code = newSecret();
      this.#codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri });
      back.searchParams.set('code', code);
    } else back.searchParams.set('error', 'access_denied');
    back.searchParams.set('state', this.hasForgedState ? newSecret() : (asked.get('state') ?? ''));
    return { status: 302, headers: { location: back.href } };
  }

  /** A code works once, also when it is refused. */
  #exchange(given: Record<string, string>): RestAnswer {
    const grant = this.#codes.get(given['code'] ?? '');
    this.#codes.delete(given['code'] ?? '');
    const isProven =
      grant !== undefined &&
      given['grant_type'] === 'authorization_code' &&
      given['client_id'] === OAUTH_CLIENT &&
      given['redirect_uri'] === grant.redirectUri &&
      hash('sha256', given['code_verifier'] ?? '', 'base64url') === grant.challenge;
    if (!isProven) return refused('invalid_grant');
    const token = newSecret();
    this.#issued(token, this.person);
    return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: 21_600 } };
  }
}
