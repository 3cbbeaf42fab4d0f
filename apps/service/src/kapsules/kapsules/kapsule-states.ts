import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { GranuleCounts, KapsuleRecord } from '@kaptain/store';
import { toAppError } from '../../http/server/errors.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { isMadeByUs } from '../data-sources/source-tables.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { STATE_CACHE_MS, STATE_WAIT_MS } from '../tuning.ts';

/** The state of a kapsule in a data source. */
export interface SourceState {
  counts?: GranuleCounts;
  /** Whether the service made its table; undefined in the service's own store and when the source does not answer. */
  madeByUs?: boolean;
  /** Why its granules are not available. */
  problem?: string;
}

interface CachedState extends SourceState {
  at: number;
}

const slow = 'Its server has not answered yet.';

export async function sourceState(databases: Databases, kapsule: KapsuleRecord): Promise<SourceState> {
  const counts = await granulesOf(databases, kapsule).counts(kapsule.id);
  if (kapsule.database === DEFAULT_DATABASE) return { counts };
  return { counts, madeByUs: await isMadeByUs(databases.dataSources, kapsule) };
}

/** A cache of the counts and problems of kapsules in data sources. */
export class KapsuleStates {
  readonly #databases: Databases;
  readonly #uptime: () => number;
  readonly #cached = new Map<string, CachedState>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(databases: Databases, uptime: () => number) {
    this.#databases = databases;
    this.#uptime = uptime;
  }

  async #ask(kapsule: KapsuleRecord): Promise<void> {
    let state: SourceState;
    try {
      state = await sourceState(this.#databases, kapsule);
    } catch (error) {
      state = { problem: toAppError(error).message };
    }
    this.#cached.set(kapsule.id, { ...state, at: this.#uptime() });
  }

  #fresh(kapsule: KapsuleRecord): Promise<void> {
    const cached = this.#cached.get(kapsule.id);
    // A problem is not cached, so that a repaired data source is shown on the next request.
    if (cached && cached.problem === undefined && this.#uptime() - cached.at < STATE_CACHE_MS)
      return Promise.resolve();
    const asking = this.#asking.get(kapsule.id);
    if (asking) return asking;
    const asked = this.#ask(kapsule).finally(() => this.#asking.delete(kapsule.id));
    this.#asking.set(kapsule.id, asked);
    return asked;
  }

  /** The states of those of these kapsules that are in data sources, by id. */
  async of(kapsules: readonly KapsuleRecord[]): Promise<Map<string, SourceState>> {
    const elsewhere = kapsules.filter(({ database }) => database !== DEFAULT_DATABASE);
    if (elsewhere.length === 0) return new Map();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STATE_WAIT_MS);
    });
    await Promise.race([Promise.all(elsewhere.map((kapsule) => this.#fresh(kapsule))), patience]);
    clearTimeout(timer);
    return new Map(elsewhere.map(({ id }) => [id, this.#cached.get(id) ?? { problem: slow }]));
  }

  forget(id: string): void {
    this.#cached.delete(id);
  }
}
