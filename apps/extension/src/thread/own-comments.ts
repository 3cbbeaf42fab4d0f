import type { ThreadAddress } from './comment-outbox.ts';

interface Options {
  /** Asks the service for the ids of the person's own comments. */
  ask: (address: ThreadAddress) => Promise<string[]>;
  changed: () => void;
}

const none: ReadonlySet<string> = new Set();
const nameOf = ({ key, field }: ThreadAddress): string => JSON.stringify([key, field]);

/** The ids of the person's own comments, from the service: two people may have the same name. */
export class OwnComments {
  readonly #options: Options;
  #known = new Map<string, { version: number; ids: ReadonlySet<string> }>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The ids that are loaded; requests them once per version of the row. */
  of(address: ThreadAddress, version: number): ReadonlySet<string> {
    const answer = this.#known.get(nameOf(address));
    const ids = answer?.ids ?? none;
    if (version > 0 && answer?.version !== version) {
      this.#known.set(nameOf(address), { version, ids });
      void this.#ask(address, version);
    }
    return ids;
  }

  async #ask(address: ThreadAddress, version: number): Promise<void> {
    const answers = this.#known;
    try {
      const ids = await this.#options.ask(address);
      if (answers !== this.#known || answers.get(nameOf(address))?.version !== version) return;
      this.learn(address, version, ids);
      this.#options.changed();
    } catch {
      // Opening the thread again, or a change of the row, repeats the request.
    }
  }

  learn(address: ThreadAddress, version: number, ids: readonly string[]): void {
    this.#known.set(nameOf(address), { version, ids: new Set(ids) });
  }

  /** Requests the ids of the same version again; until the answer the loaded ones count. */
  refresh(address: ThreadAddress): void {
    const answer = this.#known.get(nameOf(address));
    if (answer) this.#known.set(nameOf(address), { ...answer, version: 0 });
  }

  /** Called when another person may have signed in. */
  forget(): void {
    this.#known = new Map();
  }
}
