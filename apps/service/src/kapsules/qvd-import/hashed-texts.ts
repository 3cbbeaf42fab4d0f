import { hash } from 'node:crypto';

const FIRST_SLOTS = 1024;
const MOST_FILLED = 0.6;

/** 53 bits, never 0: among millions of texts, two with the same ones are less likely than a failing disk. */
export function hashOf(text: string): number {
  const bytes = hash('sha1', text, 'buffer');
  return bytes.readUIntBE(0, 6) * 32 + ((bytes[6] ?? 0) >> 3) || 1;
}

/** Numbers by texts of any length, of which it keeps hashes alone: a million entries take some 50 MB, however long their texts are. */
export class HashedTexts {
  #hashes = new Float64Array(FIRST_SLOTS);
  #values = new Float64Array(FIRST_SLOTS);
  size = 0;

  get(text: string): number | undefined {
    const slot = this.#slotOf(hashOf(text));
    return this.#hashes[slot] === 0 ? undefined : this.#values[slot];
  }

  set(text: string, value: number): void {
    this.#put(hashOf(text), value);
    if (this.size > MOST_FILLED * this.#hashes.length) this.#grow();
  }

  /** Where this hash is, or a free slot for it. */
  #slotOf(wanted: number): number {
    const slots = this.#hashes.length;
    let slot = wanted % slots;
    while (this.#hashes[slot] !== 0 && this.#hashes[slot] !== wanted) slot = (slot + 1) % slots;
    return slot;
  }

  #put(hashed: number, value: number): void {
    const slot = this.#slotOf(hashed);
    if (this.#hashes[slot] === 0) this.size += 1;
    this.#hashes[slot] = hashed;
    this.#values[slot] = value;
  }

  #grow(): void {
    const [hashes, values] = [this.#hashes, this.#values];
    this.#hashes = new Float64Array(2 * hashes.length);
    this.#values = new Float64Array(2 * hashes.length);
    this.size = 0;
    for (const [slot, hashed] of hashes.entries()) if (hashed !== 0) this.#put(hashed, values[slot] ?? 0);
  }
}
