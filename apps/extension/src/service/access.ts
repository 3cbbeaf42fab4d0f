import type { ExtensionToken } from '@kaptain/contract';
import { ServiceError } from './service-client.ts';
import { requestToken, type SignedIn, signIn } from './sign-in.ts';

/** A token lasts 15 minutes: renewed after 10, or in one of four further attempts, a minute apart. */
const RENEW_AFTER_MS = 10 * 60_000;
const RETRY_AFTER_MS = 60_000;

/** Earlier versions of the service answer only the name. */
const personOf = (token: ExtensionToken | undefined): string => token?.person ?? token?.author ?? '';

/**
 * The token of one service and kapsule. It is in memory only, and renewed while the page is open. The service gives one to a
 * person who signs in, or for a proof of the platform: a session of Qlik Sense, or an access token of Qlik Cloud.
 */
export class Access {
  readonly #serviceUrl: string;
  readonly #kapsuleId: string;
  readonly #changed: () => void;
  #token: ExtensionToken | undefined;
  #renew: SignedIn['renew'] = () => Promise.reject(new ServiceError(401, ''));
  /** When a proof of the platform was accepted that `forget` may show again; 0 without one. */
  #provenAt = 0;
  #lastAuthor = '';
  #lastPerson = '';
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(serviceUrl: string, kapsuleId: string, changed: () => void) {
    this.#serviceUrl = serviceUrl;
    this.#kapsuleId = kapsuleId;
    this.#changed = changed;
  }

  get token(): string | undefined {
    return this.#token?.token;
  }

  /** The name that the own entries carry. */
  get author(): string {
    return this.#token?.author ?? '';
  }

  /** The name of the last sign-in, also after it has ended. */
  get lastAuthor(): string {
    return this.#lastAuthor;
  }

  /** The id of the signed-in person, for comparisons; '' without a sign-in. Names are only shown. */
  get person(): string {
    return personOf(this.#token);
  }

  /** The id of the last sign-in, also after it has ended: edits are kept under it. */
  get lastPerson(): string {
    return this.#lastPerson;
  }

  /** Whether it counts: not after another window has signed in, and not as a failure when another was opened later. */
  async signIn(): Promise<boolean> {
    const attempt = ++this.#attempts;
    try {
      const { token, renew, isProven } = await signIn(this.#serviceUrl, this.#kapsuleId);
      if (attempt < this.#attempts && this.#token) return false;
      this.#renew = renew;
      this.#provenAt = isProven ? Date.now() : 0;
      this.#useToken(token);
      return true;
    } catch (error) {
      if (attempt < this.#attempts || this.#token) return false;
      throw error;
    }
  }

  /**
   * Shows the service the session of Qlik Sense: the browser sends its cookie where page and service have the same host
   * name. Whether the service has accepted it; the person needs no window then.
   */
  async signInBySession(): Promise<boolean> {
    if (location.hostname !== new URL(this.#serviceUrl).hostname) return false;
    const body = { kapsuleIds: [this.#kapsuleId] };
    this.#renew = () => requestToken(this.#serviceUrl, '/session', { body, hasCookies: true });
    return this.#prove();
  }

  /** Shows the proof of the platform; whether the service has accepted it. */
  async #prove(): Promise<boolean> {
    try {
      const token = await this.#renew('');
      this.#provenAt = Date.now();
      this.#useToken(token);
      return true;
    } catch {
      return false;
    }
  }

  /** The service no longer knows the token. A proof of the platform is shown again, for another one. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#token = undefined;
    this.#changed();
    // Not within a minute: a service that accepts the proof and refuses its tokens would be asked without end.
    const mayProve = this.#provenAt > 0 && Date.now() - this.#provenAt > RETRY_AFTER_MS;
    this.#provenAt = 0;
    if (mayProve) void this.#prove();
  }

  #useToken(token: ExtensionToken): void {
    this.#token = token;
    this.#lastAuthor = token.author;
    this.#lastPerson = personOf(token);
    this.#renewIn(RENEW_AFTER_MS);
    this.#changed();
  }

  #renewIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#next(), ms);
  }

  async #next(): Promise<void> {
    const { token } = this;
    if (token === undefined) return;
    try {
      this.#useToken(await this.#renew(token));
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 401 || error.status === 403)) this.forget();
      else this.#renewIn(RETRY_AFTER_MS);
    }
  }
}
