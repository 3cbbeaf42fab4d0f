import type { LoggerOptions } from 'pino';

const LONGEST = 256;
const LONGEST_STACK = 4000;
const secretName = /password|token|authorization|ticket|apikey|secret|cookie/i;

/** Bounded and without secrets: what a caller sends must neither flood the log nor be found in it. */
function safe(name: string, value: unknown): unknown {
  if (secretName.test(name)) return '***';
  if (typeof value === 'string') {
    const longest = name === 'stack' ? LONGEST_STACK : LONGEST;
    return value.length > longest ? `${value.slice(0, longest)}…` : value;
  }
  if (value instanceof Error) {
    const code = 'code' in value ? String(value.code) : undefined;
    return safeObject({ type: value.name, message: value.message, code, stack: value.stack });
  }
  if (Array.isArray(value)) return value.slice(0, 20).map((entry) => safe('', entry));
  return typeof value === 'object' && value !== null ? safeObject(value) : value;
}

const safeObject = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, safe(name, value)]));

/** What JSON leaves as it is, but a terminal obeys or hides: control characters, and those that turn the direction of writing. */
const UNSEEN = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu;
const escaped = (sign: string): string => `\\\\u${sign.codePointAt(0)?.toString(16).padStart(4, '0')}`;

/** JSON lines: a line break in a value is escaped and can't forge a line of its own. */
export const loggerOptions = {
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  hooks: { streamWrite: (line) => line.replaceAll(UNSEEN, escaped) },
  formatters: { level: (label) => ({ level: label }), log: safeObject },
} satisfies LoggerOptions;
