import { Session } from 'node:inspector/promises';

/** Tells which parts of the package ran for the first time, by the engine's own block coverage. */
export class Coverage {
  readonly #session = new Session();
  readonly #known = new Set<string>();

  get size(): number {
    return this.#known.size;
  }

  async start(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** The places reached since the last call that were never learned before. */
  async news(): Promise<readonly string[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const reached = result
      .filter(({ url }) => url.includes('/packages/qvd/src/'))
      .flatMap(({ url, functions }) =>
        functions.flatMap(({ ranges }) =>
          ranges
            .filter(({ count }) => count > 0)
            .map(({ startOffset, endOffset }) => `${url}:${startOffset}-${endOffset}`),
        ),
      );
    return reached.filter((place) => !this.#known.has(place));
  }

  learn(places: readonly string[]): void {
    for (const place of places) this.#known.add(place);
  }
}
