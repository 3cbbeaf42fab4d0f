import { DOUBLE, DUAL_DOUBLE, DUAL_INT, INT, TEXT } from '../symbols/symbol-kind.ts';
import { ByteBuffer } from './byte-buffer.ts';

const FIRST = 256;

/**
 * The distinct symbols of a column as the bytes of the file, numbered in order of appearance. A hash table with open
 * addressing finds a symbol by these bytes: no object per cell, nor per symbol.
 */
export class SymbolTable {
  readonly #bytes = new ByteBuffer();
  #count = 0;
  /** Of the last symbol. */
  #end = 0;
  /** The end of each symbol; the next one begins there. */
  #ends = new Uint32Array(FIRST);
  #hashes = new Int32Array(FIRST);
  /** The number of a symbol plus 1, or 0 where the slot is free; at most half of them are taken. */
  #slots = new Int32Array(FIRST * 2);
  /** Random, so that no one can prepare texts that share a slot. */
  readonly #seed = Math.trunc(Math.random() * 2 ** 32);

  get count(): number {
    return this.#count;
  }

  get length(): number {
    return this.#end;
  }

  /** The bytes it has allocated. */
  get memory(): number {
    return this.#bytes.capacity + this.#ends.byteLength + this.#hashes.byteLength + this.#slots.byteLength;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.bytes().subarray(0, this.#end);
  }

  number(value: number): number {
    this.#beginNumber(INT, DOUBLE, value);
    return this.#nextCode();
  }

  text(value: string): number {
    this.#begin(TEXT);
    this.#bytes.textAndEnd(value);
    return this.#nextCode();
  }

  dual(number: number, text: string): number {
    this.#beginNumber(DUAL_INT, DUAL_DOUBLE, number);
    this.#bytes.textAndEnd(text);
    return this.#nextCode();
  }

  /** Removes the rest of a symbol whose text was refused. */
  #begin(kind: number): void {
    this.#bytes.truncate(this.#end);
    this.#bytes.byte(kind);
  }

  /** Numbers that fit 32 bits are written as integers, as Qlik does. */
  #beginNumber(integerKind: number, doubleKind: number, value: number): void {
    const isInteger = (value | 0) === value && !Object.is(value, -0);
    this.#begin(isInteger ? integerKind : doubleKind);
    if (isInteger) this.#bytes.int32(value);
    else this.#bytes.float64(value);
  }

  /** The number of the symbol that was just appended; a known one is taken off again. */
  #nextCode(): number {
    const start = this.#end;
    const hash = this.#bytes.hash(start, this.#seed);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let taken = this.#slots[slot] as number; taken !== 0; taken = this.#slots[slot] as number) {
      const code = taken - 1;
      if (this.#hashes[code] === hash && this.#isSame(code, start)) {
        this.#bytes.truncate(start);
        return code;
      }
      slot = (slot + 1) & mask;
    }
    return this.#add(hash, slot);
  }

  #isSame(code: number, start: number): boolean {
    const from = code === 0 ? 0 : (this.#ends[code - 1] as number);
    return this.#bytes.isSame(from, this.#ends[code] as number, start);
  }

  #add(hash: number, slot: number): number {
    if (this.#count === this.#ends.length) this.#grow();
    this.#end = this.#bytes.length;
    this.#ends[this.#count] = this.#end;
    this.#hashes[this.#count] = hash;
    this.#slots[slot] = this.#count + 1;
    this.#count += 1;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return this.#count - 1;
  }

  #grow(): void {
    const [ends, hashes] = [new Uint32Array(this.#count * 2), new Int32Array(this.#count * 2)];
    ends.set(this.#ends);
    hashes.set(this.#hashes);
    [this.#ends, this.#hashes] = [ends, hashes];
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let code = 0; code < this.#count; code++) {
      let slot = (this.#hashes[code] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code + 1;
    }
    this.#slots = slots;
  }
}
