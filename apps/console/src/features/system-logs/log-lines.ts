export const levels = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];

export interface LogLine {
  /** Its place in the text, which stays while more is added. */
  number: number;
  text: string;
  level: Level | undefined;
}

// As our service writes it, and as most others do.
const LEVEL = /"level"\s*:\s*"(\w+)"|\b(DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b/;
const names: Record<string, Level> = { trace: 'debug', warning: 'warn', fatal: 'error' };

function levelOf(text: string): Level | undefined {
  const [, ours, theirs] = LEVEL.exec(text.slice(0, 500)) ?? [];
  const name = (ours ?? theirs ?? '').toLowerCase();
  return levels.find((level) => level === (names[name] ?? name));
}

// Control characters, and those that turn the direction of writing: shown, they would make a line look like another.
const UNSEEN = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
const escape = (sign: string): string =>
  sign === '\t' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** The text with every character that can't be seen written out. */
export const visible = (text: string): string => text.replaceAll(UNSEEN, escape);

/** A line without a level of its own belongs to the one before it: a stack, for example. */
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
