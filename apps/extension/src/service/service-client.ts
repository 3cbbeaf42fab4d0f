import type { ErrorAnswer, Granule } from '@kaptain/contract';
import { limits } from '@kaptain/contract/limits';
import type { SavedRow } from '../model/edit-queue.ts';
import { type KnownGranule, noGranule } from '../model/known-granules.ts';

export type SaveOutcome =
  | { kind: 'saved'; versions: Map<string, number> }
  | { kind: 'conflict'; theirs: Map<string, KnownGranule> }
  /** The service will never take these rows. */
  | { kind: 'refused'; message: string }
  /** The service does not answer, or can't now. */
  | { kind: 'unavailable' }
  | { kind: 'signedOut' };

export class SignedOutError extends Error {
  override name = 'SignedOutError';
}

export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface StoredConflict {
  key: string;
  storedVersion: number;
  storedUser: string | null;
  storedData: Record<string, unknown> | null;
}

interface Options {
  /** The address of the service, without a slash at its end. */
  serviceUrl: string;
  kapsuleId: string;
  /** The present token; undefined when the person is not signed in. */
  token: () => string | undefined;
  fetch: typeof fetch;
}

const theirsIn = (details: unknown): Map<string, KnownGranule> => {
  const { conflicts = [] } = (details ?? {}) as { conflicts?: StoredConflict[] };
  return new Map(
    conflicts.map(({ key, storedVersion, storedUser, storedData }) => [
      key,
      { ...noGranule, version: storedVersion, data: storedData ?? {}, user: storedUser ?? '' },
    ]),
  );
};

/** The calls of the data API that the extension makes for one kapsule. */
export class ServiceClient {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async #send(method: string, path: string, body: unknown): Promise<Response> {
    const { serviceUrl, kapsuleId, token: tokenOf } = this.#options;
    const token = tokenOf();
    if (token === undefined) throw new SignedOutError();
    const response = await this.#options.fetch(
      `${serviceUrl}/api/kapsule/${encodeURIComponent(kapsuleId)}${path}`,
      {
        method,
        credentials: 'omit',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      },
    );
    if (response.status === 401) throw new SignedOutError();
    return response;
  }

  /** One entry per key; asks again where an answer was cut by its bytes. */
  async lookup(keys: readonly string[]): Promise<(Granule | null)[]> {
    const found: (Granule | null)[] = [];
    while (found.length < keys.length) {
      const some = keys.slice(found.length, found.length + limits.keysPerLookup);
      const response = await this.#send('POST', '/granules/lookup', { keys: some });
      if (!response.ok) throw await errorIn(response);
      const { data } = (await response.json()) as { data: (Granule | null)[] };
      if (data.length === 0) throw new ServiceError(response.status, 'The service answered nothing.');
      found.push(...data);
    }
    return found;
  }

  async save(granules: readonly SavedRow[]): Promise<SaveOutcome> {
    try {
      const response = await this.#send('PUT', '/granules', { granules });
      if (response.ok) {
        const { granules: stored } = (await response.json()) as {
          granules: { key: string; version: number }[];
        };
        return { kind: 'saved', versions: new Map(stored.map(({ key, version }) => [key, version])) };
      }
      const { message, details } = (await response.json()) as ErrorAnswer;
      const theirs = theirsIn(details);
      if (response.status === 409 && theirs.size > 0) return { kind: 'conflict', theirs };
      const isLater = response.status >= 500 || response.status === 429 || response.status === 408;
      return isLater ? { kind: 'unavailable' } : { kind: 'refused', message };
    } catch (error) {
      return { kind: error instanceof SignedOutError ? 'signedOut' : 'unavailable' };
    }
  }
}

async function errorIn(response: Response): Promise<ServiceError> {
  const answer = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>;
  return new ServiceError(response.status, answer.message ?? 'The service did not answer.');
}
