import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../tools/any-character.ts';
import { sized } from '../../../tools/test-size.ts';
import { requireBinding, requireTable } from './names.ts';
import { dialects } from './open.ts';
import { allStatements } from './testing/all-statements.ts';

/** Known injection strings, and arbitrary texts. */
const hostile = [
  "' OR '1'='1",
  "'; DROP TABLE comments; --",
  '"; DROP TABLE comments; --',
  '`; DROP TABLE comments; --',
  ']; DROP TABLE comments; --',
  '\\',
  "\\'",
  '\u02bc; DROP TABLE x; --',
  '$1',
  '@p1',
  ':1',
  '?',
  '${1+1}',
  '$$; DROP TABLE x; $$',
  '/* */',
  '%',
  '!%',
  '\u0000',
  '\ud800',
  "N'x'",
  "q'[x]'",
  '0x27',
];
const anyText = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: anyCharacter, maxLength: 40 }));
const harmless = { key: 'A-1', id: '0123', user: 'Ann', text: 'good', q: 'word' };

describe.each(Object.values(dialects))('on $type', (dialect) => {
  const texts = (given: typeof harmless) =>
    Object.values(allStatements(dialect, given)).map(({ sql }) => sql);
  const expected = texts(harmless);

  test('no value ever becomes part of a statement', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (key, user, text, q) => {
        expect(texts({ ...harmless, key, user, text, q: q === '' ? 'x' : q })).toEqual(expected);
      }),
      { numRuns: sized(300, 60) },
    );
  });

  test('every statement has as many placeholders as values', () => {
    for (const [name, { sql, values }] of Object.entries(allStatements(dialect, harmless))) {
      const placeholders =
        dialect.placeholder(1) === '?'
          ? (sql.match(/\?/g) ?? []).length
          : new Set(sql.match(/(?:\$|@p|:)\d+\b/g)).size;
      expect([name, placeholders]).toEqual([name, values.length]);
    }
  });

  test('invalid names are refused in every position', () => {
    const fine = { table: 'comments', keyField: 'id', fields: [{ name: 'a', type: 'text' as const }] };
    expect(() => requireBinding(dialect, fine)).not.toThrow();
    for (const bad of hostile) {
      expect(() => requireBinding(dialect, { ...fine, table: bad })).toThrow(/not allowed/);
      expect(() => requireBinding(dialect, { ...fine, keyField: bad })).toThrow(/not allowed/);
      expect(() => requireBinding(dialect, { ...fine, fields: [{ name: bad, type: 'text' }] })).toThrow(
        /not allowed/,
      );
    }
  });

  test('names are limited in bytes, never truncated, and names of the database and the service are refused', () => {
    const { longestNameBytes } = dialect;
    expect(() => requireTable(dialect, 'x'.repeat(longestNameBytes))).not.toThrow();
    expect(() => requireTable(dialect, 'x'.repeat(longestNameBytes + 1))).toThrow(/too long/);
    expect(() => requireTable(dialect, 'ü'.repeat(longestNameBytes / 2 + 1))).toThrow(/too long/);
    for (const table of [
      'pg_class',
      'sysobjects',
      'kaptain_tables',
      'KAPTAIN_HISTORY',
      'users',
      'sessions',
      'granules',
      'kaptaindb',
      'information_schema',
    ])
      expect(() => requireTable(dialect, table)).toThrow(/belongs to the database or to this service/);
  });

  test('a quoted name stays one name, even an unusual one from the catalog', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const quoted = dialect.quote(name);
        const [open = '', close = ''] = [quoted[0], quoted.at(-1)];
        expect(
          quoted
            .slice(1, -1)
            .replaceAll(close + close, '')
            .includes(close),
        ).toBe(false);
        expect(['"', '`', '[']).toContain(open);
      }),
    );
  });
});
