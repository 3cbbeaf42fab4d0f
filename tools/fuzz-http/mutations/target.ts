import { hostileText, type Mutation } from '../draft.ts';

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'QUERY',
  'get',
  'NONSENSE',
  '',
];

/** Escapes characters that a URL can't contain; some are sent unescaped. */
const escaped = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : encodeURIComponent(text.toWellFormed());

const splitTarget = (target: string): [path: string, query: string] => {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
};

const joined = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

/** Changes one segment of the path, chosen at random. */
const inPath =
  (change: (part: string) => string): Mutation =>
  (draft, random) => {
    const [path, query] = splitTarget(draft.target);
    const parts = path.split('/');
    const place = random.below(parts.length);
    parts[place] = change(parts[place] ?? '');
    draft.target = joined(parts.join('/'), query);
  };

const percent = (text: string): string =>
  [...Buffer.from(text, 'latin1')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

export const targetMutations: readonly Mutation[] = [
  (draft, random) => {
    draft.method = random.pick(methods);
  },
  (draft, random) => {
    draft.version = random.pick([
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/1.1 ',
      'HTTP/9.9',
      'http/1.1',
      '',
    ]);
  },
  inPath(percent),
  inPath((part) => percent(percent(part))),
  inPath((part) => `${part}%2f..%2f..`),
  inPath((part) => `${part}/..`),
  inPath((part) => `./${part}`),
  inPath((part) => `${part}/`),
  inPath((part) => `${part}.`),
  inPath((part) => `${part};x=1`),
  inPath((part) => part.toUpperCase()),
  inPath((part) => `${part}\\`),
  inPath((part) => `${part}%00`),
  inPath((part) => `${part}%`),
  inPath((part) => `${part}%c0%af`),
  inPath((part) => `${part}\u00e4\u00ff`),
  inPath(() => 'x'.repeat(256)),
  inPath(() => '%f0%9f%98%80'.repeat(100)),
  (draft, random) => inPath(() => escaped(hostileText(random)).slice(0, 12_000))(draft, random),
  (draft, random) => {
    draft.target = `${draft.target}${'/a'.repeat(random.pick([10, 500, 5000, 40_000]))}`;
  },
  (draft, random) => {
    const absolute = `http://other.invalid${draft.target}`;
    draft.target = random.pick([
      absolute,
      '*',
      `//other.invalid${draft.target}`,
      '',
      '?',
      '/',
      `${draft.target}#x`,
    ]);
  },
  (draft, random) => {
    const [path, query] = splitTarget(draft.target);
    const pairs = query.split('&');
    draft.target = joined(path, [...pairs, random.pick(pairs), random.pick(pairs)].join('&'));
  },
  (draft, random) => {
    const [path, query] = splitTarget(draft.target);
    const pairs = query.split('&');
    const place = random.below(pairs.length);
    const [name = ''] = (pairs[place] ?? '').split('=');
    pairs[place] = `${name || 'q'}${random.pick(['=', '[]=', '[a]=', ''])}${escaped(hostileText(random))}`;
    draft.target = joined(path, pairs.join('&')).slice(0, 14_000);
  },
  (draft, random) => {
    const extra = random.pick([
      '__proto__=1',
      '__proto__[a]=1',
      'constructor=1',
      '&&&',
      '=',
      '=a',
      '%',
      '%zz=%zz',
    ]);
    draft.target += `${draft.target.includes('?') ? '&' : '?'}${extra}`;
  },
  (draft, random) => {
    const many = Array.from({ length: random.pick([50, 1500]) }, (_, index) => `a${index % 7}=${index}`);
    draft.target += `${draft.target.includes('?') ? '&' : '?'}${many.join('&')}`;
  },
];
