/** Whether a character is meant. */
export type CharacterTest = (character: string) => boolean;

/** A pattern as a tree. */
export type PatternNode =
  | { kind: 'one'; test: CharacterTest }
  | { kind: 'all'; of: PatternNode[] }
  | { kind: 'any'; of: PatternNode[] }
  | { kind: 'repeat'; of: PatternNode; least: number; most: number };

export class PatternSyntaxError extends Error {
  override name = 'PatternSyntaxError';
}

/** How often {n,m} may repeat. */
const MOST_REPEATS = 100;
const DEEPEST = 20;

/** Tests a character once, however many steps ask about it one after another. */
function remembering(test: CharacterTest): CharacterTest {
  let last: { one: string; isMeant: boolean } | undefined;
  return (one) => {
    if (last?.one !== one) last = { one, isMeant: test(one) };
    return last.isMeant;
  };
}

const isDigit: CharacterTest = (one) => one >= '0' && one <= '9';
const isWord = remembering((one) => /^[\p{L}\p{N}_]$/u.test(one));
const isSpace = remembering((one) => /^\s$/u.test(one));
const not =
  (test: CharacterTest): CharacterTest =>
  (one) =>
    !test(one);

const classes: Readonly<Record<string, CharacterTest>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** A $ after an even number of backslashes, of which each two mean one. */
const END_ANCHOR = /(?<!\\)((?:\\\\)*)\$$/;

interface ParsedPattern {
  whole: PatternNode;
  /** A ^ or $ inside: it means itself, which who wrote it did not expect. */
  innerAnchor: string | undefined;
}

/** Parses what regular expressions and other programs have in common; no look-around and no back-references. */
export function parsePattern(pattern: string): ParsedPattern {
  const signs = Array.from(pattern.replace(/^\^/, '').replace(END_ANCHOR, '$1'));
  let at = 0;
  let innerAnchor: string | undefined;
  const fail = (problem: string): never => {
    throw new PatternSyntaxError(problem);
  };
  const takes = (sign: string) => signs[at] === sign && ++at > 0;
  const take = (): string => signs[at++] ?? fail('it ends too early');

  function escaped(): CharacterTest | string {
    const sign = take();
    const known = classes[sign];
    if (known) return known;
    if (/[A-Za-z0-9]/.test(sign) && controls[sign] === undefined) return fail(`\\${sign} has no meaning`);
    return controls[sign] ?? sign;
  }

  function bracketed(): CharacterTest {
    const isNegated = takes('^');
    const tests: CharacterTest[] = [];
    while (!takes(']')) {
      const sign = take();
      const from = sign === '\\' ? escaped() : sign;
      if (typeof from !== 'string') {
        tests.push(from);
      } else if (signs[at] === '-' && signs[at + 1] !== ']') {
        at += 1;
        const next = take();
        const to = next === '\\' ? escaped() : next;
        if (typeof to !== 'string' || to < from) return fail(`${from}-${next} is no range`);
        tests.push((one) => one >= from && one <= to);
      } else {
        tests.push((one) => one === from);
      }
    }
    if (tests.length === 0) return fail('[] is empty');
    return remembering((one) => tests.some((test) => test(one)) !== isNegated);
  }

  function atom(depth: number): PatternNode {
    const sign = take();
    if (sign === '(') {
      if (takes('?') && !(takes(':') || fail('(? has no meaning here')))
        return fail('(? has no meaning here');
      const inner = either(depth + 1);
      return takes(')') ? inner : fail('a ) is missing');
    }
    if (sign === '[') return { kind: 'one', test: bracketed() };
    if (sign === '.') return { kind: 'one', test: (one) => one !== '\n' };
    if ('*+?{'.includes(sign)) return fail(`nothing comes before ${sign}`);
    if (sign === '\\') {
      const meant = escaped();
      return { kind: 'one', test: typeof meant === 'string' ? (one) => one === meant : meant };
    }
    if (sign === '^' || sign === '$') innerAnchor ??= sign;
    return { kind: 'one', test: (one) => one === sign };
  }

  function count(): [least: number, most: number] {
    const [, least = '', comma, most = ''] =
      /^(\d+)(,?)(\d*)\}/.exec(signs.slice(at, at + 12).join('')) ?? [];
    if (least === '') return fail('{ needs one or two numbers');
    at += least.length + (comma ?? '').length + most.length + 1;
    const end = comma === '' ? least : most || Number.POSITIVE_INFINITY;
    const [from, to] = [Number(least), Number(end)];
    if (to < from || from > MOST_REPEATS || (Number.isFinite(to) && to > MOST_REPEATS))
      return fail(`{ may repeat at most ${MOST_REPEATS} times`);
    return [from, to];
  }

  function repeated(depth: number): PatternNode {
    const of = atom(depth);
    if (takes('*')) return { kind: 'repeat', of, least: 0, most: Number.POSITIVE_INFINITY };
    if (takes('+')) return { kind: 'repeat', of, least: 1, most: Number.POSITIVE_INFINITY };
    if (takes('?')) return { kind: 'repeat', of, least: 0, most: 1 };
    if (!takes('{')) return of;
    const [least, most] = count();
    return { kind: 'repeat', of, least, most };
  }

  function either(depth: number): PatternNode {
    if (depth > DEEPEST) return fail('its parentheses are nested too deeply');
    const options: PatternNode[] = [];
    do {
      const row: PatternNode[] = [];
      while (at < signs.length && signs[at] !== '|' && signs[at] !== ')') row.push(repeated(depth));
      options.push({ kind: 'all', of: row });
    } while (takes('|'));
    return { kind: 'any', of: options };
  }

  const whole = either(0);
  return at < signs.length ? fail('a ( is missing') : { whole, innerAnchor };
}
