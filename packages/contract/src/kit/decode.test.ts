import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decodeJson, decodeMessage, decodeText, UnexpectedAnswerError, valueOf } from './decode.ts';

const list = z.array(z.object({ name: z.string() }));
const wrapped = z.object({ data: list });
const rows = [{ name: 'a' }];

describe('a JSON answer', () => {
  test.each([[rows], [{ data: rows }], [{ data: { data: rows } }]])(
    'is taken bare or wrapped: %j',
    (value) => {
      expect(decodeJson(list, value)).toEqual(rows);
    },
  );
  test.each([[rows], [{ data: rows }], [{ data: { data: rows } }]])(
    'whose own shape is wrapped is taken too: %j',
    (value) => {
      expect(decodeJson(wrapped, value)).toEqual({ data: rows });
    },
  );
  test.each([['kpt_1'], [{ data: 'kpt_1' }], [{ apikey: 'kpt_1' }], [{ data: { apikey: 'kpt_1' } }]])(
    'of one field may be the value of that field alone: %j',
    (value) => {
      expect(decodeJson(z.object({ apikey: z.string() }), value)).toEqual({ apikey: 'kpt_1' });
    },
  );
  test('of several fields is never guessed from one value', () => {
    const two = z.object({ a: z.string(), b: z.string().optional() });
    expect(() => decodeJson(two, 'a')).toThrow(UnexpectedAnswerError);
  });
  test('may come as plain text, but never as a web page or as nothing', () => {
    expect(valueOf('kpt_1', 'text/plain; charset=utf-8')).toBe('kpt_1');
    expect(valueOf('{"a":1}', '')).toEqual({ a: 1 });
    expect(() => valueOf('<html></html>', 'text/html')).toThrow(UnexpectedAnswerError);
    expect(() => valueOf('', 'text/plain')).toThrow(UnexpectedAnswerError);
  });
  test('of another meaning is refused', () => {
    expect(() => decodeJson(list, { error: 'no' })).toThrow(UnexpectedAnswerError);
    expect(() => decodeJson(list, null)).toThrow(UnexpectedAnswerError);
  });
});

describe('results that are plain lines', () => {
  const results = z.array(z.object({ file: z.string().optional(), message: z.string() }));
  test.each([[['one', 'two']], [{ data: ['one', 'two'] }], ['one\r\ntwo\n']])('are taken: %j', (value) => {
    expect(decodeJson(results, value)).toEqual([{ message: 'one' }, { message: 'two' }]);
  });
  test.each([[['one', 2]], [[['one']]], ['']])('are not guessed from anything else: %j', (value) => {
    expect(() => decodeJson(results, value)).toThrow(UnexpectedAnswerError);
  });
});

describe('a text answer', () => {
  test('is taken as plain text, even when it looks like JSON', () => {
    expect(decodeText('"1.4.0"', 'text/plain; charset=utf-8')).toBe('"1.4.0"');
  });
  test.each(['"1.4.0"', '{"data":"1.4.0"}'])('is taken from JSON: %s', (body) => {
    expect(decodeText(body, 'application/json')).toBe('1.4.0');
  });
});

describe('an error answer', () => {
  test.each([
    [{ message: 'No.' }, 'No.'],
    [{ message: ['One', 'Two'] }, 'One, Two'],
    [{ error: { message: 'Deep.' } }, 'Deep.'],
    [{ data: { message: 'Wrapped.' } }, 'Wrapped.'],
    ['Plain.', 'Plain.'],
    [{ statusCode: 500 }, undefined],
  ])('%j says %s', (value, message) => {
    expect(decodeMessage(value)).toBe(message);
  });
});
