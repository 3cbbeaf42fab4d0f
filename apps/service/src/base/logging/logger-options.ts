import type { LoggerOptions } from 'pino';

const LONGEST = 256;
const LONGEST_STACK = 4000;
const MOST_ENTRIES = 20;
const secretName = /password|token|authorization|ticket|api[-_]?key|secret|cookie/i;

/** Whether a name is that of a secret: remembered, because lines have few different names. */
const areSecret = new Map<string, boolean>();
const MOST_NAMES = 1000;
function isSecret(name: string): boolean {
  let answer = areSecret.get(name);
  if (answer === undefined) {
    answer = secretName.test(name);
    // Names of a caller's own fields could fill the memory.
    if (areSecret.size < MOST_NAMES) areSecret.set(name, answer);
  }
  return answer;
}

/** Removes secrets, and shortens values, because a caller could fill the log. */
function safe(name: string, value: unknown): unknown {
  if (isSecret(name)) return '***';
  if (typeof value === 'string') {
    const longest = name === 'stack' ? LONGEST_STACK : LONGEST;
    return value.length > longest ? `${value.slice(0, longest)}…` : value;
  }
  if (value instanceof Error) {
    const code = 'code' in value ? String(value.code) : undefined;
    return safeObject({ type: value.name, message: value.message, code, stack: value.stack });
  }
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map((entry) => safe('', entry));
  return typeof value === 'object' && value !== null ? safeObject(value) : value;
}

function safeObject(object: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) {
    // A value of this name would become the prototype.
    if (name !== '__proto__') result[name] = safe(name, value);
  }
  return result;
}

/**
 * Characters that JSON does not escape but a terminal interprets or hides: control characters, line separators, and those without
 * a shape, such as text direction.
 */
const UNSEEN = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;
/** Most lines have none of them, which this tells faster. */
const PLAIN = /^[\x20-\x7e\n]*$/;
/** Escaped twice: a program that parses the log line shows the number of the character instead of the character. */
const escaped = (sign: string): string => `\\\\u${sign.codePointAt(0)?.toString(16).padStart(4, '0')}`;

/** JSON lines: a line break in a value is escaped, so it can't forge a line. */
export const loggerOptions = {
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  hooks: { streamWrite: (line) => (PLAIN.test(line) ? line : line.replaceAll(UNSEEN, escaped)) },
  formatters: { level: (label) => ({ level: label }), log: safeObject },
} satisfies LoggerOptions;
