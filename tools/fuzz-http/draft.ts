import type { Random } from './random.ts';

export interface Part {
  /** Complete header lines, without the line ends. */
  headers: string[];
  content: Buffer;
}

/** A request before it is serialised; mutations change it in place. */
export interface Draft {
  method: string;
  /** Path and query as they are sent. */
  target: string;
  version: string;
  headers: [name: string, value: string][];
  /** Raw bytes; JSON bodies are text, so that mutations can break them. */
  body: Buffer | undefined;
  /** The parts of an upload, from which the body is written. */
  parts?: Part[];
  boundary: string;
  /** The boundary in the content type, when it differs from the one in the body. */
  saidBoundary?: string;
  /** Without the closing delimiter the upload never ends. */
  isUnfinished?: boolean;
  /** The number of files that the route accepts. */
  maxFiles: number;
  /** How the end of the body is marked; a wrong framing sets `isCut`. */
  framing: 'length' | 'chunked' | 'as headers say';
  /** The service may wait for more bytes, so that no answer is correct too. */
  isCut: boolean;
}

export type Mutation = (draft: Draft, random: Random) => void;

/** Texts that are known to break programs; none of them names an existing host. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066',
  'ﬀ İ ı ſ',
  '👩‍👩‍👧‍👦'.repeat(20),
  '../../../../etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '%2e%2e%2f%2e%2e%2f',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' OR 1=1 --",
  '"; DROP TABLE users; --',
  '{"$ne":1}',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '\r\nx-injected: 1\r\n\r\n',
  '\n',
  '\t',
  '-1',
  '0',
  '1e999',
  'NaN',
  'null',
  'true',
  '9007199254740993',
  '99999999999999999999999999',
  '2026-02-30T25:61:61Z',
  '-271821-04-20T00:00:00Z',
  '*',
  '**********',
  '********',
  '%',
  '%00',
  '%ff%fe',
  '_',
  'a'.repeat(256),
  'ä'.repeat(1001),
  'x'.repeat(70_000),
  '['.repeat(5000),
  'kaptaindb',
  'sqlite_master',
  'f'.repeat(24),
];

export const hostileText = (random: Random): string => random.pick(hostileTexts);

export const headerOf = ({ headers }: Draft, name: string): string | undefined =>
  headers.find(([known]) => known.toLowerCase() === name)?.[1];

export function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = draft.headers.filter(([known]) => known.toLowerCase() !== name);
  draft.headers.push([name, value]);
}
