const levels = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];

export interface LogLine {
  /** Its position in the text, which stays the same when lines are appended. */
  number: number;
  text: string;
  level: Level | undefined;
}

// The formats of our service and of most others.
const LEVEL = /"level"\s*:\s*"(\w+)"|\b(DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b/;
const names: Record<string, Level> = { trace: 'debug', warning: 'warn', fatal: 'error' };

function levelOf(text: string): Level | undefined {
  const [, ours, theirs] = LEVEL.exec(text.slice(0, 500)) ?? [];
  const name = (ours ?? theirs ?? '').toLowerCase();
  return levels.find((level) => level === (names[name] ?? name));
}

// Control characters and bidirectional overrides: unescaped, they could make a line look like another.
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
const escape = (sign: string): string =>
  sign === '\t' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** The text with every invisible character escaped. */
export const visible = (text: string): string => text.replaceAll(UNSEEN, escape);

/** Splits a log; a line without a level takes the one of the line before, e.g. in a stack trace. */
export function linesOf(text: string): LogLine[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  let last: Level | undefined;
  return lines.map((line, number) => {
    last = levelOf(line) ?? last;
    return { number, text: visible(line), level: last };
  });
}

export function matchingLines(lines: readonly LogLine[], wanted: string, atLeast: Level | ''): LogLine[] {
  const words = wanted.trim().toLowerCase();
  const lowest = atLeast === '' ? -1 : levels.indexOf(atLeast);
  return lines.filter(
    ({ text, level }) =>
      (lowest <= 0 || (level !== undefined && levels.indexOf(level) >= lowest)) &&
      (words === '' || text.toLowerCase().includes(words)),
  );
}
