import { type LogLine, visible } from '../../shared/log-view/log-lines.ts';

// After the time, a statement of the script begins with its line number of four digits.
const STATEMENT = /^\S+[ T]\S+\s+\d{4}\s/;
const ERROR =
  /\berrors?\b|\bexecution (?:failed|aborted)\b|\b(?:field|table|file|variable)\b.*\bnot found\b|\bcannot open\b|\baccess denied\b/i;

/** The lines of a script log; those that report an error are marked, but not statements that mention one. */
export const scriptLogLines = (text: string): LogLine[] => {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, number) => ({
    number,
    text: visible(line),
    level: !STATEMENT.test(line) && ERROR.test(line) ? 'error' : undefined,
  }));
};

/** The first line of each error: lines that follow one another are one error. */
export const errorsIn = (lines: readonly LogLine[]): LogLine[] =>
  lines.filter(({ level }, index) => level === 'error' && lines[index - 1]?.level !== 'error');
