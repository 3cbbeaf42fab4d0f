import { type Draft, hostileText, type Mutation } from '../draft.ts';
import type { Random } from '../random.ts';

type Json = unknown;

const swaps: readonly ((random: Random) => Json)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => -(2 ** 63),
  () => 1e308,
  () => [],
  () => ({}),
  () => [[]],
  () => ({ $ne: 1 }),
  () => ({ toString: 1, length: -1 }),
  () => JSON.parse('{"then":{}}') as Json,
  () => Array.from({ length: 2000 }, () => 0),
  () => Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, index])),
  hostileText,
  hostileText,
  hostileText,
];

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? { a: value } : [value];
  return value;
}

/** Every path in a value. */
function places(value: Json, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function change(value: Json, [key, ...rest]: readonly string[], by: (old: Json) => Json): Json {
  if (key === undefined) return by(value);
  if (Array.isArray(value))
    return value.map((inner: Json, index) => (String(index) === key ? change(inner, rest, by) : inner));
  const object = value as Record<string, Json>;
  return { ...object, [key]: change(object[key], rest, by) };
}

function withoutKey(value: Json, random: Random): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  const gone = random.pick(keys);
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone));
}

/** Changes a JSON value into another JSON value. */
export function mutateValue(value: Json, random: Random): Json {
  const path = random.pick(places(value));
  return change(value, path, (old) => {
    switch (random.below(6)) {
      case 0:
        return withoutKey(old, random);
      case 1:
        return [old];
      case 2:
        return Array.isArray(old)
          ? [...(old as Json[]), ...(old as Json[])]
          : { ...(old as object), extra: hostileText(random) };
      case 3:
        return nested(random.pick([5, 25, 500]));
      default:
        return random.pick(swaps)(random);
    }
  });
}

/** Changes of the text that JSON.stringify never produces. */
const textChanges: readonly ((text: string, random: Random) => string | Buffer)[] = [
  () => '',
  () => 'null',
  () => '[]',
  () => '"text"',
  () => '{',
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => text.slice(0, -1),
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text) => text.replace('{', '{"__proto__":{"isAdmin":true},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"role":"ADMIN"}},'),
  (text) => text.replace(/"(\w+)":/, '"$1":1,"$1":'),
  (text) => text.replace(/:("[^"]*"|\d+)/, ':1e999'),
  (text) => text.replace(/:("[^"]*"|\d+)/, ':9007199254740993'),
  (text) => text.replace(/:("[^"]*"|\d+)/, ':-0'),
  (text) => text.replace(/:("[^"]*"|\d+)/, ':"\\ud800"'),
  (text) => text.replace(/:("[^"]*"|\d+)/, ':"\\u0000"'),
  (text) => text.replace(/:("[^"]*"|\d+)/, ':NaN'),
  (text) => text.replace(/"(\w+)":/, '"\\u0000$1\\ud800":'),
  (text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, 3)),
      Buffer.from([0xff, 0xc0, 0x80]),
      Buffer.from(text.slice(3)),
    ]),
  (text) => Buffer.from(text, 'utf16le'),
  (_, random) => '['.repeat(random.pick([100, 10_000, 500_000])),
  (_, random) => '{"a":'.repeat(random.pick([100, 100_000])),
  (text) => `${text}${' '.repeat(900_000)}`,
  (text) => text.padEnd(1_100_000, ' '),
  (text) => text.replace('{', `{"pad":"${'x'.repeat(1_048_500)}",`),
];

function parsed({ body }: Draft): Json {
  try {
    return JSON.parse(body?.toString('utf8') ?? '') as Json;
  } catch {
    return undefined;
  }
}

const swapValue: Mutation = (draft, random) => {
  const value = parsed(draft);
  if (value !== undefined) draft.body = Buffer.from(JSON.stringify(mutateValue(value, random)) ?? '');
};

const breakText: Mutation = (draft, random) => {
  const changed = random.pick(textChanges)(draft.body?.toString('utf8') ?? '', random);
  draft.body = typeof changed === 'string' ? Buffer.from(changed) : changed;
};

const flipBytes: Mutation = (draft, random) => {
  if (!draft.body?.length) return;
  const copy = Buffer.from(draft.body);
  for (let count = 1 + random.below(4); count > 0; count--)
    copy[random.below(copy.length)] = random.below(256);
  draft.body = copy;
};

export const jsonMutations: readonly Mutation[] = [
  swapValue,
  swapValue,
  swapValue,
  swapValue,
  breakText,
  breakText,
  flipBytes,
];
