import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { hasLongList, jsonPieces } from './json-pieces.ts';
import { PreparedJson } from './prepared-json.ts';

const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const textOf = async (value: unknown) => Buffer.concat(await jsonPieces(value)).toString();

describe('JSON in pieces', () => {
  it.each([
    ['a list', many(500, (n) => ({ n, text: `"ü\n${n}` }))],
    ['a list in an object', { before: 1, data: many(500, (n) => n), after: { x: [null, true] } }],
    ['lists in a list', many(3, () => ({ name: 'g', users: many(300, (id) => ({ id })), none: undefined }))],
    ['what JSON leaves out', { no: undefined, data: many(300, (n) => (n % 2 ? undefined : new Date(n))) }],
    ['a short value', { a: [1] }],
    ['a text', 'text'],
  ])('is that of JSON.stringify: %s', async (_, value) => {
    expect(await textOf(value)).toBe(JSON.stringify(value));
  });

  it('has no piece above a megabyte, and gives others turns', async () => {
    const value = { data: many(20_000, (n) => ({ n, text: 'x'.repeat(500) })) };
    const done = new AbortController();
    let turns = 0;
    const others = (async () => {
      for (; !done.signal.aborted; turns++) await setImmediate();
    })();
    const pieces = await jsonPieces(value);
    done.abort();
    await others;
    expect(turns).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1024 * 1024);
    expect((await PreparedJson.inTurns(value)).pieces.length).toBeGreaterThan(10);
  });

  it('is one piece up to a megabyte', async () => {
    expect((await PreparedJson.inTurns(many(500, (n) => n))).pieces).toHaveLength(1);
  });

  it('is not needed without a long list', () => {
    expect([hasLongList({ a: many(200, (n) => n) }), hasLongList('x'), hasLongList(null)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(hasLongList([{ users: many(201, (n) => n) }])).toBe(true);
  });
});
