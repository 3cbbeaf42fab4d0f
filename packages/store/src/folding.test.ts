import { describe, expect, it } from 'vitest';
import { foldName, foldText, searchText } from './folding.ts';

/** Beyond the second plane no character has a case. */
const LAST_CASED_PLANE = 0x1ffff;

describe('folding', () => {
  it.each([
    ['Überraschung', 'ÜBERRASCHUNG'],
    ['Überraschung', 'u\u0308berraschung'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
    ['Москва', 'МОСКВА'],
    ['ａｄｍｉｎ', 'Admin'],
    ['ﬁnal', 'FINAL'],
  ])('makes no difference between %s and %s', (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it('keeps accents apart', () => {
    expect(foldText('resume')).not.toBe(foldText('résumé'));
  });

  it('finds a part wherever it stands in a word', () => {
    expect(foldText('ΟΔΟΣΗΜΑ')).toContain(foldText('ΟΔΟΣ'));
  });

  it.each([' admin', 'ADMIN', 'ad\u00ADmin', 'admin\u200D', 'ａｄｍｉｎ\u3000', '\uFEFFadmin'])(
    'takes %j for the name admin',
    (name) => {
      expect(foldName(name)).toBe('admin');
    },
  );

  it('changes nothing the second time, for every letter there is', () => {
    const unstable: string[] = [];
    for (let code = 0; code <= LAST_CASED_PLANE; code += 1) {
      const character = String.fromCodePoint(code);
      const folded = foldText(character);
      if (foldText(folded) !== folded || foldText(character.toUpperCase()) !== folded) {
        unstable.push(code.toString(16));
      }
    }
    expect(unstable).toEqual([]);
  });

  it('takes a time that grows with the text alone, whatever marks it has', () => {
    for (const marks of ['\u0301\u0316', '\uff9e\u0301', '\u0344\u0316']) {
      const [long, alike] = [`ä${marks.repeat(60_000)}`, `Ä${marks.repeat(60_000)}`];
      const since = performance.now();
      expect(foldText(long) === foldText(alike)).toBe(true);
      expect(performance.now() - since).toBeLessThan(2_000);
    }
  });

  it('searches key, user and every value, but no field name', () => {
    const text = searchText('Key-1', 'UserId=Ann', {
      comment: 'Über',
      list: [1.5, { deep: true }],
      none: null,
    });
    expect(text).toBe('key-1\nuserid=ann\nüber\n1.5\ntrue');
  });
});
