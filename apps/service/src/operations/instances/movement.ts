/** How long versions of documents have not changed, by the clock of this process: clocks of computers may differ. */
export class Movement {
  readonly #uptime: () => number;
  readonly #seen = new Map<string, { version: number; since: number }>();

  constructor(uptime: () => number) {
    this.#uptime = uptime;
  }

  /** Milliseconds since this process first saw the present version. */
  still(id: string, version: number): number {
    const seen = this.#seen.get(id);
    if (seen?.version === version) return this.#uptime() - seen.since;
    this.#seen.set(id, { version, since: this.#uptime() });
    return 0;
  }
}
