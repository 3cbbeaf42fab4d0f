import type { Granule } from '@kaptain/contract';

/** The granule of a key as the service last answered it; version 0 when there is none. */
export interface KnownGranule {
  /** '' when no granule has the key. */
  id: string;
  version: number;
  data: Readonly<Record<string, unknown>>;
  user: string;
  updatedAt: string;
}

export const noGranule: KnownGranule = { id: '', version: 0, data: {}, user: '', updatedAt: '' };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const knownOf = (granule: Granule | null): KnownGranule =>
  granule
    ? {
        id: granule._id,
        version: granule.version ?? 0,
        data: isRecord(granule.data) ? granule.data : {},
        user: granule.user ?? '',
        updatedAt: granule.updatedAt ?? '',
      }
    : noGranule;

/** How many keys stay known: more than a person scrolls back, or pastes. */
const MOST = 100_000;

/** The granules by key, as far as they were looked up. */
export class KnownGranules {
  readonly #byKey = new Map<string, KnownGranule>();

  get(key: string): KnownGranule | undefined {
    return this.#byKey.get(key);
  }

  set(key: string, granule: KnownGranule): void {
    this.#byKey.delete(key);
    this.#byKey.set(key, granule);
    const oldest = this.#byKey.keys().next().value;
    if (this.#byKey.size > MOST && oldest !== undefined) this.#byKey.delete(oldest);
  }

  /** The keys of these that are still to be looked up, each once. */
  missing(keys: readonly string[]): string[] {
    return [...new Set(keys)].filter((key) => key !== '' && !this.#byKey.has(key));
  }

  clear(): void {
    this.#byKey.clear();
  }
}
