const NUMBERS =
  '0,1,2,3,4,7,8,9,16,31,32,33,63,64,255,256,65535,2147483647,2147483648,4294967295,9007199254740991,-1,-2,-3'.split(
    ',',
  );
const TAGS =
  'FieldName,BitOffset,BitWidth,Bias,NoOfSymbols,Offset,Length,Type,Tags,Fields,NoOfRecords,RecordByteSize'.split(
    ',',
  );

type Random = () => number;

/** A random number generator with a seed, so that a run can be repeated. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

/** Mutates only the header, the text before the first 0x00. */
const inHeader =
  (change: (header: string, random: Random) => string): Mutation =>
  (bytes, random) => {
    const end = bytes.indexOf(0);
    const length = end < 0 ? bytes.length : end;
    const header = Buffer.from(bytes.subarray(0, length)).toString('latin1');
    return Buffer.concat([Buffer.from(change(header, random), 'latin1'), bytes.subarray(length)]);
  };

/** Replaces one match of the pattern, chosen at random. */
function replaceOne(text: string, pattern: RegExp, random: Random, by: (found: string) => string): string {
  const found = pick(random, [...text.matchAll(pattern)]);
  if (!found) return text;
  return text.slice(0, found.index) + by(found[0]) + text.slice(found.index + found[0].length);
}

const splice = (bytes: Uint8Array, at: number, remove: number, insert: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    const copy = bytes.slice();
    const at = below(random, copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8));
    return copy;
  },
  (bytes, random) => {
    const copy = bytes.slice();
    copy[below(random, copy.length)] = pick(random, [0, 1, 2, 3, 4, 5, 6, 7, 0x3c, 0x3e, 0x7f, 0x80, 0xff]);
    return copy;
  },
  (bytes, random) => splice(bytes, below(random, bytes.length), 1 + below(random, 16), new Uint8Array()),
  (bytes, random) => {
    const at = below(random, bytes.length);
    return splice(bytes, below(random, bytes.length), 0, bytes.subarray(at, at + 1 + below(random, 64)));
  },
  (bytes, random) => bytes.slice(0, below(random, bytes.length + 1)),
  (bytes, random, other) =>
    Buffer.concat([
      bytes.subarray(0, below(random, bytes.length)),
      other.subarray(below(random, other.length)),
    ]),
  inHeader((header, random) => replaceOne(header, />-?\d+</g, random, () => `>${pick(random, NUMBERS)}<`)),
  inHeader((header, random) =>
    replaceOne(
      header,
      />-?\d+</g,
      random,
      (found) => `>${Number(found.slice(1, -1)) + (random() < 0.5 ? 1 : -1)}<`,
    ),
  ),
  inHeader((header, random) =>
    replaceOne(header, /<\/?\w+>/g, random, () => `<${pick(random, ['', '/'])}${pick(random, TAGS)}>`),
  ),
  inHeader((header, random) =>
    replaceOne(header, /<(\w+)>[^<]*<\/\1>/g, random, (found) => pick(random, ['', found + found])),
  ),
  inHeader((header, random) =>
    replaceOne(header, />/g, random, () =>
      pick(random, ['>&amp;', '>&#0;', '><!', '>\xff', '/>', '> x', '>']),
    ),
  ),
];

/** Applies one to four mutations. */
export function mutate(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  let mutant = bytes;
  for (let count = 1 + below(random, 4); count > 0; count--) {
    if (mutant.length > 0) mutant = pick(random, MUTATIONS)(mutant, random, other);
  }
  return mutant;
}
