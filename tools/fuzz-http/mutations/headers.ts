import { headerOf, hostileText, type Mutation, setHeader } from '../draft.ts';
import type { Random } from '../random.ts';

const set =
  (name: string, values: (random: Random) => string): Mutation =>
  (draft, random) =>
    setHeader(draft, name, values(random));

const oneOf =
  (...values: string[]) =>
  (random: Random) =>
    random.pick(values);

/** Removes line ends, which would start another header. */
const inOneLine = (text: string): string =>
  text
    .replaceAll('\u0000', '?')
    .replaceAll(/[\r\n]/g, '?')
    .slice(0, 20_000);

export const headerMutations: readonly Mutation[] = [
  (draft, random) => {
    draft.headers.splice(random.below(draft.headers.length), 1);
  },
  (draft, random) => {
    const [name, value] = random.pick(draft.headers);
    const isLength = /^(content-length|transfer-encoding)$/i.test(name);
    draft.headers.push([name, isLength || random.chance(0.5) ? value : hostileHeader(random)]);
  },
  (draft) => {
    draft.headers.push(['Host', headerOf(draft, 'host') ?? 'localhost']);
  },
  (draft, random) => {
    draft.headers.push([
      'Host',
      random.pick(['evil.invalid', '', 'a'.repeat(300), '[::1', 'localhost:99999']),
    ]);
  },
  (draft) => {
    draft.headers = draft.headers.filter(([name]) => name.toLowerCase() !== 'host');
  },
  set('host', (random) => inOneLine(hostileText(random))),
  set('x-long', oneOf('a'.repeat(8000), 'a'.repeat(17_000), 'a'.repeat(200_000))),
  (draft, random) => {
    const count = random.pick([50, 500, 2500]);
    for (let index = 0; index < count; index++) draft.headers.push([`x-${index}`, '1']);
  },
  set('content-type', (random) =>
    random.pick([
      '',
      'application/json',
      'application/json; charset=utf-16',
      'APPLICATION/JSON;charset=UTF-8',
      'application/json, text/plain',
      'application/vnd.api+json',
      'text/plain',
      'text/html',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/mixed; boundary=x',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=""',
      ';',
      '/',
      `application/${'x'.repeat(5000)}`,
      `application/json;${' a=b;'.repeat(1500)}`,
    ]),
  ),
  set('content-encoding', oneOf('gzip', 'br', 'deflate', 'identity', 'x', 'gzip, gzip')),
  set('expect', oneOf('100-continue', '100-Continue', '200-ok', '')),
  (draft, random) => {
    setHeader(
      draft,
      'connection',
      random.pick(['Upgrade', 'upgrade, HTTP2-Settings', 'keep-alive, Upgrade']),
    );
    setHeader(draft, 'upgrade', random.pick(['websocket', 'h2c', 'TLS/1.0', 'x'.repeat(2000)]));
    setHeader(draft, 'sec-websocket-key', 'AAAAAAAAAAAAAAAAAAAAAA==');
  },
  set('connection', oneOf('close', 'keep-alive', 'close, close', 'transfer-encoding', 'x'.repeat(500))),
  set('if-match', oneOf('"1"', '*', 'W/"1"', '""', '1', '"1", '.repeat(2000), '"__proto__"')),
  set('if-none-match', oneOf('*', '"1"')),
  set('range', oneOf('bytes=0-0', 'bytes=-1', `bytes=${'0-,'.repeat(1000)}`, 'bytes=9-1')),
  set(
    'origin',
    oneOf('null', 'https://evil.invalid', 'http://localhost', 'x', 'https://allowed.invalid', ''),
  ),
  (draft) => {
    draft.method = 'OPTIONS';
    setHeader(draft, 'origin', 'https://allowed.invalid');
    setHeader(draft, 'access-control-request-method', 'PUT');
  },
  set('authorization', (random) =>
    random.pick([
      'Bearer',
      'Bearer ',
      'bearer x',
      'Basic YWRtaW46YWRtaW4=',
      `Bearer ${'a'.repeat(43)}`,
      `Bearer ${'a'.repeat(9000)}`,
      'Bearer a b c',
      `Bearer ${inOneLine(hostileText(random))}`,
    ]),
  ),
  set('x-api-key', (random) =>
    random.pick(['', 'a'.repeat(600), 'ä'.repeat(40), inOneLine(hostileText(random))]),
  ),
  set('x-kaptain-user', (random) =>
    random.pick(['CORP\\ann', '\u00ff\u00fe', inOneLine(hostileText(random))]),
  ),
  set('x-forwarded-for', oneOf('10.0.0.1', '::1', 'x', '1.2.3.4, '.repeat(500))),
  set('x-forwarded-host', oneOf('evil.invalid', '')),
  set('x-http-method-override', oneOf('DELETE', 'PUT')),
  set('accept', oneOf('text/html', 'text/html,*/*;q=0', '', 'x'.repeat(3000))),
  set('accept-encoding', oneOf('br', 'gzip;q=0', '*', 'br;q=0, gzip')),
  set('cookie', oneOf('a=b', `a=${'b'.repeat(7000)}`, '=;=;=', 'a=b; '.repeat(1500), '__proto__=1')),
  set('user-agent', (random) => inOneLine(hostileText(random))),
  set('sec-purpose', oneOf('prefetch', 'prerender')),
  (draft, random) => {
    // Node's parser refuses these; the test is how.
    draft.headers.push(
      random.pick([
        ['x folded', '1\r\n 2'],
        ['x-space ', '1'],
        ['', '1'],
        ['x\u0000', '1'],
        ['x-cr', 'a\rb'],
      ]),
    );
    draft.isCut = true;
  },
];

const hostileHeader = (random: Random): string => inOneLine(hostileText(random));
