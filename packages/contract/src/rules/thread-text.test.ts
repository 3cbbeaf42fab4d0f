import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../../tools/any-character.ts';
import {
  commentParts,
  mentionOf,
  oneLine,
  plainComment,
  readThread,
  shownComment,
  withMentionsOf,
  writeThread,
} from './thread-text.ts';

const anna = { id: 'k3f9x2a1', author: 'ACME\\anna', at: '2026-11-16T12:04:31Z', text: 'Who has\n\ncalled?' };
const bob = { id: 'p0q1r2s3', author: 'ACME\\bob', at: '2026-11-16T12:05:00Z', text: 'I have.' };

it('writes a thread as text that people read as it is', () => {
  const edited = { ...bob, editedAt: '2026-11-16T12:06:00Z' };
  expect(writeThread({ preface: '', comments: [anna, edited] })).toBe(
    [
      '2026-11-16T12:04:31Z ACME\\anna [k3f9x2a1]',
      '  Who has',
      '  ',
      '  called?',
      '2026-11-16T12:05:00Z ACME\\bob [p0q1r2s3] edited 2026-11-16T12:06:00Z',
      '  I have.',
    ].join('\n'),
  );
});

it('reads what it wrote, whatever authors and comments contain', () => {
  const line = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    fc.constantFrom(
      '[k3f9x2a1]',
      '  x',
      ' [k3f9x2a1] edited 2026-11-16T12:06:00Z',
      writeThread({ preface: '', comments: [anna] }),
    ),
  );
  const comment = fc.record({
    id: fc.stringMatching(/^[a-z0-9]{8,32}$/),
    author: fc.array(line, { minLength: 1, maxLength: 3 }).map((parts) => oneLine(parts.join(' '))),
    at: fc.constant(anna.at),
    text: fc.array(line, { minLength: 1, maxLength: 3 }).map((parts) => plainComment(parts.join('\n'))),
  });
  const edited = fc.tuple(comment, fc.boolean()).map(([one, isEdited]) => ({
    ...one,
    ...(isEdited && { editedAt: bob.at }),
  }));
  fc.assert(
    fc.property(
      fc.array(edited, { maxLength: 4 }),
      fc.constantFrom('', 'An old text\nwithout author'),
      (comments, preface) => {
        expect(readThread(writeThread({ preface, comments }))).toEqual({ preface, comments });
      },
    ),
    { numRuns: 50 },
  );
});

it('keeps text of others: in front as the preface, later with the comment before it', () => {
  const text = `old\r\ntext\n${writeThread({ preface: '', comments: [anna] })}\nappended by a program`;
  expect(readThread(text)).toEqual({
    preface: 'old\ntext',
    comments: [{ ...anna, text: `${anna.text}\nappended by a program` }],
  });
  for (const empty of [undefined, null, '']) expect(readThread(empty)).toEqual({ preface: '', comments: [] });
  expect(readThread(7)).toEqual({ preface: '7', comments: [] });
});

it('marks mentions, and only those of known people', () => {
  const text = 'Hi @[ACME\\bob], ask @[Eve] or mail a@[b';
  expect(commentParts(text)).toEqual([
    { text: 'Hi ' },
    { mention: 'ACME\\bob' },
    { text: ', ask ' },
    { mention: 'Eve' },
    { text: ' or mail a@[b' },
  ]);
  expect(withMentionsOf(text, (name) => name === 'ACME\\bob')).toBe('Hi @[ACME\\bob], ask @Eve or mail a@[b');
  expect(withMentionsOf('@[@[Eve] Bob]', () => false)).toBe('@@Eve Bob');
  expect(shownComment(text)).toBe('Hi @ACME\\bob, ask @Eve or mail a@[b');
  expect([mentionOf('ACME\\bob'), mentionOf('x]y'), mentionOf(''), mentionOf('a\nb')]).toEqual([
    '@[ACME\\bob]',
    undefined,
    undefined,
    undefined,
  ]);
});
