import type { ThreadPlace } from './comment-outbox.ts';

interface Options {
  /** Asks the service for the ids of the person's own comments. */
  ask: (place: ThreadPlace) => Promise<string[]>;
  changed: () => void;
}

const none: ReadonlySet<string> = new Set();
const nameOf = ({ key, field }: ThreadPlace): string => JSON.stringify([key, field]);

/** The ids of the person's own comments, from the service: two people may have the same name. */
export class OwnComments {
  readonly #options: Options;
  #known = new Map<string, { version: number; ids: ReadonlySet<string> }>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The ids that are loaded; requests them once per version of the row. */
  of(place: ThreadPlace, version: number): ReadonlySet<string> {
    const known = this.#known.get(nameOf(place));
    const ids = known?.ids ?? none;
    if (version > 0 && known?.version !== version) {
      this.#known.set(nameOf(place), { version, ids });
      void this.#ask(place, version);
    }
    return ids;
  }

  async #ask(place: ThreadPlace, version: number): Promise<void> {
    const known = this.#known;
    try {
      const ids = await this.#options.ask(place);
      if (known !== this.#known || known.get(nameOf(place))?.version !== version) return;
      this.learn(place, version, ids);
      this.#options.changed();
    } catch {
      // Opening the thread again, or a change of the row, repeats the request.
    }
  }

  learn(place: ThreadPlace, version: number, ids: readonly string[]): void {
    this.#known.set(nameOf(place), { version, ids: new Set(ids) });
  }

  /** Requests the ids of the same version again; until the answer the loaded ones count. */
  refresh(place: ThreadPlace): void {
    const known = this.#known.get(nameOf(place));
    if (known) this.#known.set(nameOf(place), { ...known, version: 0 });
  }

  /** Called when another person may have signed in. */
  forget(): void {
    this.#known = new Map();
  }
}
