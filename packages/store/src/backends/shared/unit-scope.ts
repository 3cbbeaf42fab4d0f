import { AsyncLocalStorage } from 'node:async_hooks';

/** Knows which code runs inside a unit of work: a write beside the unit would wait for the unit, and the unit for it. */
export class UnitScope {
  readonly #current = new AsyncLocalStorage<{ isOver: boolean }>();

  refuseInside(): void {
    if (this.#current.getStore()?.isOver === false)
      throw new Error('Inside a unit of work only the nouns handed to it may write.');
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const unit = { isOver: false };
    try {
      return await this.#current.run(unit, work);
    } finally {
      unit.isOver = true;
    }
  }
}
