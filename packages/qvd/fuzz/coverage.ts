import { Session } from 'node:inspector/promises';

/** Reports which code blocks of the package ran for the first time, by V8's block coverage. */
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

  /** The blocks reached since the last call that `learn` has not recorded. */
  async newBlocks(): Promise<readonly string[]> {
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
    return reached.filter((block) => !this.#known.has(block));
  }

  learn(blocks: readonly string[]): void {
    for (const block of blocks) this.#known.add(block);
  }
}
