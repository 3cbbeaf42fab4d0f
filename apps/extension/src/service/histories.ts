import type { GranuleState } from '@kaptain/contract';
import type { KnownGranule } from '../model/known-granules.ts';

const MOST = 200;

/** The states of granules, newest first: requested once per version. */
export class Histories {
  readonly #ask: (id: string) => Promise<GranuleState[]>;
  readonly #byId = new Map<string, { version: number; states: Promise<GranuleState[]> }>();

  constructor(ask: (id: string) => Promise<GranuleState[]>) {
    this.#ask = ask;
  }

  /** Empty when there are none, or the service does not tell them. */
  async of({ id, version }: Pick<KnownGranule, 'id' | 'version'>): Promise<GranuleState[]> {
    if (id === '' || version < 2) return [];
    const cached = this.#byId.get(id);
    if (cached?.version === version) return cached.states;
    const states = this.#ask(id).catch(() => {
      this.#byId.delete(id);
      return [];
    });
    if (this.#byId.size > MOST) this.#byId.clear();
    this.#byId.set(id, { version, states });
    return states;
  }
}
