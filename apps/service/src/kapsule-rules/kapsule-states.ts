import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { GranuleCounts, KapsuleRecord } from '@kaptain/store';
import { toAppError } from '../http/errors.ts';
import type { Databases } from './data-sources.ts';
import { granulesOf } from './granules-of.ts';
import { isMadeByUs } from './source-tables.ts';

/** What is known of the granules of a kapsule in a data source. */
export interface SourceState {
  counts?: GranuleCounts;
  /** Whether the service made its table; unknown in the service's own store and of a source that does not answer. */
  madeByUs?: boolean;
  /** Why its granules can't be reached. */
  problem?: string;
}

interface Known extends SourceState {
  at: number;
}

/** How long an answer is good enough for a list. */
export const STATE_MS = 5_000;
/** A list waits no longer for slow sources: it shows what was known. */
const PATIENCE_MS = 2_000;

const slow = 'The data source has not answered yet.';

export async function sourceState(databases: Databases, kapsule: KapsuleRecord): Promise<SourceState> {
  const counts = await granulesOf(databases, kapsule).counts(kapsule.id);
  if (kapsule.database === DEFAULT_DATABASE) return { counts };
  return { counts, madeByUs: await isMadeByUs(databases.dataSources, kapsule) };
}

/** Counts and troubles of the kapsules in data sources, asked at most every few seconds. */
export class KapsuleStates {
  readonly #databases: Databases;
  readonly #uptime: () => number;
  readonly #known = new Map<string, Known>();
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
    this.#known.set(kapsule.id, { ...state, at: this.#uptime() });
  }

  #fresh(kapsule: KapsuleRecord): Promise<void> {
    const known = this.#known.get(kapsule.id);
    // A fixed or removed data source shows at once, a living one a little later.
    if (known && known.problem === undefined && this.#uptime() - known.at < STATE_MS)
      return Promise.resolve();
    const asking = this.#asking.get(kapsule.id);
    if (asking) return asking;
    const asked = this.#ask(kapsule).finally(() => this.#asking.delete(kapsule.id));
    this.#asking.set(kapsule.id, asked);
    return asked;
  }

  /** Those of the data sources among these, by id. */
  async of(kapsules: readonly KapsuleRecord[]): Promise<Map<string, SourceState>> {
    const elsewhere = kapsules.filter(({ database }) => database !== DEFAULT_DATABASE);
    if (elsewhere.length === 0) return new Map();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([Promise.all(elsewhere.map((kapsule) => this.#fresh(kapsule))), patience]);
    clearTimeout(timer);
    return new Map(elsewhere.map(({ id }) => [id, this.#known.get(id) ?? { problem: slow }]));
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
