import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { decodeJson, decodeMessage, decodeText, UnexpectedAnswerError } from './decode.ts';

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
  test('of another meaning is refused', () => {
    expect(() => decodeJson(list, { error: 'no' })).toThrow(UnexpectedAnswerError);
    expect(() => decodeJson(list, null)).toThrow(UnexpectedAnswerError);
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
