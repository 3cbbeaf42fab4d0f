/** A text that was entered into a cell but is no value of its type. */
export interface InvalidValue {
  text: string;
  message: string;
}

/** The invalid values of a table: shown in their cells until they are corrected, and never sent. */
export class InvalidValues {
  readonly #byCell = new Map<string, InvalidValue>();

  #cell = (key: string, field: string): string => JSON.stringify([key, field]);

  get(key: string, field: string): InvalidValue | undefined {
    return this.#byCell.get(this.#cell(key, field));
  }

  set(key: string, field: string, value: InvalidValue): void {
    this.#byCell.set(this.#cell(key, field), value);
  }

  /** Whether there was one. */
  delete(key: string, field: string): boolean {
    return this.#byCell.delete(this.#cell(key, field));
  }

  all(): { key: string; field: string; text: string; message: string }[] {
    return [...this.#byCell].map(([cell, value]) => {
      const [key, field] = JSON.parse(cell) as [string, string];
      return { key, field, ...value };
    });
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  get count(): number {
    return this.#byCell.size;
  }
}
