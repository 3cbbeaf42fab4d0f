/** Rows in blocks of this size; a block of 10 columns is a tenth of what the engine answers at once. */
const BLOCK = 100;
const MOST_BLOCKS = 50;

/** Loads rows of the hypercube, from `top` on. */
type LoadRows<R> = (top: number, height: number) => Promise<readonly R[]>;

/** The rows of the hypercube, as far as they were needed: only blocks that a window touches are fetched. */
export class RowPages<R> {
  readonly #load: LoadRows<R>;
  readonly #total: number;
  readonly #blocks = new Map<number, readonly R[]>();
  readonly #loading = new Map<number, Promise<void>>();

  constructor(total: number, load: LoadRows<R>) {
    this.#total = total;
    this.#load = load;
  }

  get total(): number {
    return this.#total;
  }

  row(index: number): R | undefined {
    return this.#blocks.get(Math.floor(index / BLOCK))?.[index % BLOCK];
  }

  /** Loads what is missing between two rows; a block that is being loaded is not asked for again. */
  async ensure(first: number, end: number): Promise<void> {
    const wanted: Promise<void>[] = [];
    for (let block = Math.floor(first / BLOCK); block * BLOCK < Math.min(end, this.#total); block += 1) {
      const rows = this.#blocks.get(block);
      if (rows) this.#keep(block, rows);
      else wanted.push(this.#loading.get(block) ?? this.#fetch(block));
    }
    await Promise.all(wanted);
  }

  #fetch(block: number): Promise<void> {
    const top = block * BLOCK;
    const loading = this.#load(top, Math.min(BLOCK, this.#total - top))
      .then((rows) => this.#keep(block, rows))
      .finally(() => this.#loading.delete(block));
    this.#loading.set(block, loading);
    return loading;
  }

  /** As the last one used; the one used longest ago goes. */
  #keep(block: number, rows: readonly R[]): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, rows);
    const oldest = this.#blocks.keys().next().value;
    if (this.#blocks.size > MOST_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
  }
}
