import type { RuledField } from '@kaptain/contract/field-rules';
import { isEmpty } from '@kaptain/contract/fields';
import { ownValue } from '@kaptain/contract/own-value';
import { foldName } from '@kaptain/store/folding';
import { HashedTexts, hashOf } from './hashed-texts.ts';
import type { Task } from './messages.ts';

type Data = Readonly<Record<string, unknown>>;

/** Filled, and equal to no value of a field. */
const ANOTHER_VALUE = {};

/**
 * What the rows of an import so far make of each granule, as far as a later row of the same key depends on it. Stores differ: one
 * stores only the last row of a key, another one all of them in turn.
 */
export class MadeRows {
  readonly #writtenOnce: readonly string[];
  readonly #hasDefaults: boolean;
  readonly #isInSource: boolean;
  /** By key, and by key and field the hash of a value that is written once. */
  readonly #made = new HashedTexts();

  constructor({ structure: { fields }, isInSource }: Pick<Task, 'structure' | 'isInSource'>) {
    this.#writtenOnce = fields.filter(({ writeOnce }: RuledField) => writeOnce).map(({ name }) => name);
    this.#hasDefaults = fields.some((field) => field.default !== undefined);
    this.#isInSource = isInSource;
  }

  add(key: string, data: Data): void {
    const name = this.#nameOf(key);
    if (this.#hasDefaults) this.#made.set(name, 1);
    for (const field of this.#writtenOnce) {
      const value = ownValue(data, field);
      if (!isEmpty(value)) this.#made.set(`${name}\n${field}`, hashOf(JSON.stringify(value)));
    }
  }

  /** What a row is checked beside: the stored values, with those of earlier rows that are written once. */
  beside(key: string, data: Data, stored: Data | null): Data | null {
    if (this.#made.size === 0) return stored;
    const name = this.#nameOf(key);
    const written = this.#writtenOnce.flatMap((field): [string, unknown][] => {
      const made = this.#made.get(`${name}\n${field}`);
      if (made === undefined) return [];
      const value = ownValue(data, field);
      const isSame = !isEmpty(value) && hashOf(JSON.stringify(value)) === made;
      return [[field, isSame ? value : ANOTHER_VALUE]];
    });
    if (written.length > 0) return { ...stored, ...Object.fromEntries(written) };
    return stored ?? (this.#made.get(name) === undefined ? null : {});
  }

  /** A data source may take two keys that differ in case alone for one. */
  #nameOf(key: string): string {
    return this.#isInSource ? foldName(key) : key;
  }
}
