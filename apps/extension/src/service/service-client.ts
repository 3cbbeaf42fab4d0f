import type { ChangedThread, ErrorAnswer, Granule, GranuleState } from '@kaptain/contract';
import type { Refusal, RuledField } from '@kaptain/contract/field-rules';
import { limits } from '@kaptain/contract/limits';
import type { SavedRow, StoredRow } from '../model/edited-row.ts';
import { type KnownGranule, noGranule } from '../model/known-granules.ts';
import { fieldsIn } from '../model/sheet-fields.ts';
import { texts } from '../texts/texts.ts';
import type { PendingComment, ThreadAddress } from '../thread/comment-outbox.ts';
import type { CommentOutcome } from '../thread/comment-sender.ts';

export type SaveOutcome =
  | { kind: 'saved'; stored: Map<string, StoredRow> }
  | { kind: 'conflict'; theirs: Map<string, KnownGranule> }
  /** The service stores none of the rows while one of them has one of these values. */
  | { kind: 'valuesRefused'; refused: readonly RefusedValue[]; message: string }
  /** The service will never take these rows. */
  | { kind: 'refused'; message: string }
  /** The service does not answer, or can't now. */
  | { kind: 'unavailable'; retryAfterMs?: number }
  | { kind: 'signedOut' };

/** A value of a save that breaks a rule of its field. */
export interface RefusedValue extends Refusal {
  key: string;
}

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

const refusedIn = (code: string, details: unknown): RefusedValue[] => {
  const { refused } = (details ?? {}) as { refused?: unknown };
  return code === 'VALUES_REFUSED' && Array.isArray(refused) ? (refused as RefusedValue[]) : [];
};

const methods = { add: 'POST', edit: 'PUT', remove: 'DELETE' } as const;

/** Whether the same request may succeed later, or never. */
function laterOrNever({ status, headers }: Response, message: string) {
  const isLater = status >= 500 || status === 429 || status === 408;
  const retryAfterMs = Number(headers.get('retry-after') ?? 0) * 1000;
  return isLater ? ({ kind: 'unavailable', retryAfterMs } as const) : ({ kind: 'refused', message } as const);
}

/** The calls that the extension makes for one kapsule. */
export class ServiceClient {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async #send(
    method: string,
    path: string,
    { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { serviceUrl, kapsuleId } = this.#options;
    const token = this.#options.token();
    if (token === undefined) throw new SignedOutError();
    const response = await this.#options.fetch(
      `${serviceUrl}/api/kapsule/${encodeURIComponent(kapsuleId)}${path}`,
      {
        method,
        credentials: 'omit',
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          authorization: `Bearer ${token}`,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      },
    );
    if (response.status === 401) throw new SignedOutError();
    return response;
  }

  /** The fields of the kapsule with their rules; undefined where the service does not tell them. */
  async fields(): Promise<RuledField[] | undefined> {
    const response = await this.#send('GET', '/fields');
    return response.ok ? fieldsIn(await response.json()) : undefined;
  }

  /**
   * One entry per key; asks again where an answer was cut by its bytes. A service that does not say whether the person may
   * write decides on the save.
   */
  async lookup(keys: readonly string[]): Promise<{ found: (Granule | null)[]; mayWrite: boolean }> {
    const found: (Granule | null)[] = [];
    let mayWrite = true;
    while (found.length < keys.length) {
      const some = keys.slice(found.length, found.length + limits.keysPerLookup);
      const response = await this.#send('POST', '/granules/lookup', { body: { keys: some } });
      if (!response.ok) throw await errorIn(response);
      const answer = (await response.json()) as { data: (Granule | null)[]; mayWrite?: boolean };
      const { data } = answer;
      mayWrite = answer.mayWrite ?? true;
      if (data.length === 0) throw new ServiceError(response.status, texts().noAnswer);
      found.push(...data);
    }
    return { found, mayWrite };
  }

  async save(granules: readonly SavedRow[]): Promise<SaveOutcome> {
    try {
      const response = await this.#send('PUT', '/granules', { body: { granules } });
      if (response.ok) {
        const { granules: rows } = (await response.json()) as {
          granules: { _id: string; key: string; version: number }[];
        };
        return {
          kind: 'saved',
          stored: new Map(rows.map(({ _id: id, key, version }) => [key, { id, version }])),
        };
      }
      const { code, message, details } = (await response.json()) as ErrorAnswer;
      const theirs = theirsIn(details);
      const refused = refusedIn(code, details);
      if (refused.length > 0) return { kind: 'valuesRefused', refused, message };
      if (response.status === 409 && theirs.size > 0) return { kind: 'conflict', theirs };
      return laterOrNever(response, message);
    } catch (error) {
      return { kind: error instanceof SignedOutError ? 'signedOut' : 'unavailable' };
    }
  }

  /** Adds, changes or removes one comment of a thread: a field of a granule that holds the comments of several people. */
  async comment({ kind, key, field, id, text, was }: PendingComment): Promise<CommentOutcome> {
    const body = {
      key,
      field,
      id,
      ...(kind !== 'remove' && { text }),
      ...(kind === 'edit' && { was }),
    };
    try {
      const response = await this.#send(methods[kind], '/granules/thread', { body });
      if (response.ok) return { kind: 'saved', stored: (await response.json()) as ChangedThread };
      if (kind === 'remove' && response.status === 404) return { kind: 'gone' };
      return laterOrNever(response, ((await response.json()) as ErrorAnswer).message);
    } catch (error) {
      return { kind: error instanceof SignedOutError ? 'signedOut' : 'unavailable' };
    }
  }

  /** The ids of the person's own comments in a thread; none for a person who may not write. */
  async ownComments({ key, field }: ThreadAddress): Promise<string[]> {
    const response = await this.#send('GET', `/granules/thread?${new URLSearchParams({ key, field })}`);
    if (!response.ok) throw await errorIn(response);
    return ((await response.json()) as ChangedThread).own ?? [];
  }

  /** People whom a comment can mention; none when the service refuses to tell. */
  async people(typed: string): Promise<string[]> {
    const response = await this.#send('GET', `/people?${new URLSearchParams({ q: typed })}`);
    return response.ok ? ((await response.json()) as { people: string[] }).people : [];
  }

  /** Values that a field may have and that contain this text: accounts, or those of another kapsule. */
  async offered(field: string, typed: string): Promise<string[]> {
    const response = await this.#send('GET', `/values?${new URLSearchParams({ field, q: typed })}`);
    return response.ok ? ((await response.json()) as { values: string[] }).values : [];
  }

  /** The newest states of a granule, newest first, as many as fit into one answer. */
  async history(granuleId: string): Promise<GranuleState[]> {
    const response = await this.#send('GET', `/granules/${encodeURIComponent(granuleId)}/history`);
    if (!response.ok) throw await errorIn(response);
    return (await response.json()) as GranuleState[];
  }

  /** The stream of events of the kapsule; the service ends it with the token or the right. */
  async events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#send('GET', '/events', { signal });
    if (!response.ok || !response.body) throw await errorIn(response);
    return response.body;
  }

  /** Asks for a reload of the kapsule's app. */
  async reload(partial: boolean): Promise<void> {
    const response = await this.#send('POST', '/reload', { body: { partial } });
    if (!response.ok) throw await errorIn(response);
  }
}

async function errorIn(response: Response): Promise<ServiceError> {
  const answer = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>;
  return new ServiceError(response.status, answer.message ?? texts().noAnswer);
}
