import { describe, expect, it } from 'vitest';
import { patternProblem, patternTest } from './pattern.ts';

/** Small random patterns of a, b and c, all of which JavaScript understands too. */
function randomPattern(random: () => number, depth = 0): string {
  const pick = (...of: string[]) => of[Math.floor(random() * of.length)] ?? '';
  const inner = () => randomPattern(random, depth + 1);
  if (depth > 3) return pick('a', 'b', 'c');
  switch (Math.floor(random() * 6)) {
    case 0:
      return `${inner()}${inner()}`;
    case 1:
      return `(${inner()}|${inner()})`;
    case 2:
      return `(?:${inner()})${pick('*', '+', '?', '{2}', '{1,2}', '{1,}')}`;
    case 3:
      return pick('[ab]', '[^a]', '[a-b]', '.', String.raw`\w`);
    default:
      return pick('a', 'b', 'c');
  }
}

/** A generator with a seed, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describe('a pattern', () => {
  it.each([
    ['[A-Z]{2}-\\d{4}', 'AB-1234', true],
    ['[A-Z]{2}-\\d{4}', 'AB-12345', false],
    ['^\\d+$', '42', true],
    ['\\d+', 'x42', false],
    ['(ab|cd)*', 'abcdab', true],
    ['(ab|cd)*', '', true],
    ['a\\.b', 'a.b', true],
    ['a\\.b', 'axb', false],
    ['[\\d-]+', '1-2', true],
    ['[^,;]*', 'größer 😀', true],
    ['.{3}', '😀😀😀', true],
    ['\\w+', 'Müller_1', true],
    ['a{0,2}', 'aaa', false],
    ['a\\\\$', 'a\\', true],
    ['\\^\\$[$^]', '^$$', true],
  ])('%s with %j: %s', (pattern, text, isMatch) => {
    expect(patternTest(pattern)(text)).toBe(isMatch);
  });

  it('means what it means in JavaScript', () => {
    const random = seeded(38);
    for (let n = 0; n < 2_000; n += 1) {
      const pattern = randomPattern(random);
      const text = Array.from(
        { length: Math.floor(random() * 6) },
        () => 'abc'[Math.floor(random() * 3)],
      ).join('');
      const expected = new RegExp(`^(?:${pattern})$`, 'u').test(text);
      expect([pattern, text, patternTest(pattern)(text)]).toEqual([pattern, text, expected]);
    }
  });

  it.each([
    ['(', 'a ) is missing'],
    [')', 'a ( is missing'],
    ['*a', 'nothing comes before *'],
    ['[', 'it ends too early'],
    ['[]', '[] is empty'],
    ['[z-a]', 'z-a is no range'],
    ['a{x}', '{ needs one or two numbers'],
    ['a{1,1000}', '{ may repeat at most 100 times'],
    ['(?=a)', '(? has no meaning here'],
    ['\\1', '\\1 has no meaning'],
    ['((a{50}){50}){50}', 'it is too long'],
    [`${'('.repeat(15)}${'){100}'.repeat(15)}`, 'it is too long'],
    ['('.repeat(30), 'its parentheses are nested too deeply'],
  ])('%s is refused: %s', (pattern, problem) => {
    expect(patternProblem(pattern)).toBe(problem);
  });

  it.each(['a^b', 'x|^a', '(^a)', '^^a'])('%s is refused, because of ^ inside', (pattern) => {
    expect(patternProblem(pattern)).toMatch(
      /^\^ may only be at its beginning, because the whole text must match/,
    );
  });

  it.each(['a$b', 'a$|b', '(a$)', 'a\\\\$$'])('%s is refused, because of $ inside', (pattern) => {
    expect(patternProblem(pattern)).toMatch(/^\$ may only be at its end, because the whole text must match/);
  });

  it('asks once what a character is, however many steps want to know', () => {
    const among = `[${String.raw`\W`.repeat(100)}\\w]`;
    const timeOf = (pattern: string) => {
      const test = patternTest(pattern);
      test('ä');
      const since = performance.now();
      expect(test('ä'.repeat(1_000))).toBe(true);
      return performance.now() - since;
    };
    expect(timeOf(`((${among}?){60})*`)).toBeLessThan(20 * Math.max(timeOf('((ä?){60})*'), 5));
  });

  it('takes a time that grows with the text alone', () => {
    const test = patternTest('(a*)*(a|aa)*(a?){50}b');
    const timeOf = (length: number) => {
      const since = performance.now();
      expect(test('a'.repeat(length / 20))).toBe(false);
      return performance.now() - since;
    };
    timeOf(1_000);
    expect(timeOf(10_000)).toBeLessThan(40 * Math.max(timeOf(1_000), 1));
  });
});
