import { describe, expect, it } from 'vitest';
import { parseBlock, quotedCell } from './paste.ts';

describe('a pasted block', () => {
  it.each<[string, string, string[][]]>([
    ['one cell', 'a', [['a']]],
    [
      'rows and columns',
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['empty cells', '\tb\n\n', [['', 'b'], ['']]],
    ['a line break in a cell', '"a\nb"\tc', [['a\nb', 'c']]],
    ['a tab and quotes in a cell', '"say ""hi""\tnow"', [['say "hi"\tnow']]],
    ['a quote that begins no quoted cell', '"a" b\tc', [['"a" b', 'c']]],
    ['a quote that never ends', '"a\tb', [['"a', 'b']]],
    ['nothing', '', [['']]],
  ])('has %s', (_, text, cells) => {
    expect(parseBlock(text)).toEqual(cells);
  });

  it.each(['a', 'a\nb', 'say "hi"\tnow', '"a"', 'a "b"'])('is the cell %j again that was copied', (text) => {
    expect(parseBlock(quotedCell(text))).toEqual([[text]]);
  });
});
