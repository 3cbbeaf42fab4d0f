import { expect, test } from 'vitest';
import { csvField } from './csv.ts';

test.each([
  [null, ''],
  ['', '""'],
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  [' padded ', '" padded "'],
  [-5, '-5'],
  ['-5', '-5'],
  ['+49,5', '"+49,5"'],
  ['=1+1', "'=1+1"],
  ['+49 30 1', "'+49 30 1"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
])('%j becomes %s', (value, field) => {
  expect(csvField(value)).toBe(field);
});
