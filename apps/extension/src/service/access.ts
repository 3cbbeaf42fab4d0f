import type { ExtensionToken } from '@kaptain/contract';
import { ServiceError } from './service-client.ts';
import { requestToken, signIn } from './sign-in.ts';

type Renewal = (token: string) => Promise<ExtensionToken>;

/** A token lasts 15 minutes: two attempts to renew it fail before it ends. */
const RENEW_AFTER_MS = 10 * 60_000;
const RETRY_AFTER_MS = 60_000;

/** The token of one service and kapsule. It is in memory only, and renewed while the page is open. */
export class Access {
  readonly #serviceUrl: string;
  readonly #kapsuleId: string;
  readonly #changed: () => void;
  #token: ExtensionToken | undefined;
  #renewal: Renewal = () => Promise.reject(new ServiceError(401, ''));
  /** When a session of Qlik Sense was accepted last; 0 after it was not. */
  #provenAt = 0;
  #lastAuthor = '';
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

  /** The name of the last sign-in, also after it has ended: edits are kept for it. */
  get lastAuthor(): string {
    return this.#lastAuthor;
  }

  async signIn(): Promise<void> {
    this.#renewal = (token) => requestToken(this.#serviceUrl, '/renew', { token });
    this.#take(await signIn(this.#serviceUrl, this.#kapsuleId));
  }

  /**
   * Shows the service the session of Qlik Sense: the browser sends its cookie where page and service have the same host
   * name. Whether the service has accepted it; the person needs no window then.
   */
  async signInBySession(): Promise<boolean> {
    if (location.hostname !== new URL(this.#serviceUrl).hostname) return false;
    const body = { kapsuleIds: [this.#kapsuleId] };
    const prove = () => requestToken(this.#serviceUrl, '/session', { body, hasCookies: true });
    try {
      const token = await prove();
      this.#renewal = prove;
      this.#provenAt = Date.now();
      this.#take(token);
      return true;
    } catch {
      return false;
    }
  }

  /** The service no longer knows the token. A session of Qlik Sense that holds gives another one. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#token = undefined;
    this.#changed();
    const isProven = this.#provenAt > 0 && Date.now() - this.#provenAt > RETRY_AFTER_MS;
    this.#provenAt = 0;
    if (isProven) void this.signInBySession();
  }

  #take(token: ExtensionToken): void {
    this.#token = token;
    this.#lastAuthor = token.author;
    this.#renewIn(RENEW_AFTER_MS);
    this.#changed();
  }

  #renewIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew(), ms);
  }

  async #renew(): Promise<void> {
    const { token } = this;
    if (token === undefined) return;
    try {
      this.#take(await this.#renewal(token));
    } catch (error) {
      if (error instanceof ServiceError && (error.status === 401 || error.status === 403)) this.forget();
      else this.#renewIn(RETRY_AFTER_MS);
    }
  }
}
