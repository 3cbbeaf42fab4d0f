import { type Mutation, setHeader } from '../draft.ts';

/** A wrong length of the body; the service may wait for the rest. */
const lie =
  (change: Mutation): Mutation =>
  (draft, random) => {
    draft.framing = 'as headers say';
    draft.isCut = true;
    change(draft, random);
  };

const length = (body: Buffer | undefined): number => body?.length ?? 0;

export const framingMutations: readonly Mutation[] = [
  (draft) => {
    draft.framing = 'chunked';
  },
  lie((draft) => setHeader(draft, 'content-length', String(length(draft.body) + 1))),
  lie((draft) => setHeader(draft, 'content-length', String(Math.max(0, length(draft.body) - 1)))),
  lie((draft, random) =>
    setHeader(
      draft,
      'content-length',
      random.pick([
        '-1',
        '0',
        'x',
        '1e3',
        '0x10',
        '+5',
        '99999999999999999999',
        '4294967296',
        '1048577',
        '5 5',
        '',
      ]),
    ),
  ),
  lie((draft) => {
    draft.headers.push(['Content-Length', String(length(draft.body))], ['Content-Length', '1']);
  }),
  lie((draft) => {
    draft.headers.push(['Content-Length', String(length(draft.body))], ['Transfer-Encoding', 'chunked']);
  }),
  lie((draft, random) => {
    const kinds = ['chunked, chunked', 'identity', 'gzip, chunked', 'xchunked', 'chunked\t', 'Chunked', ''];
    setHeader(draft, 'transfer-encoding', random.pick(kinds));
  }),
  lie((draft, random) => {
    setHeader(draft, 'transfer-encoding', 'chunked');
    const body = draft.body ?? Buffer.alloc(0);
    const size = body.length.toString(16);
    const text = body.toString('latin1');
    const broken = random.pick([
      `${size}\r\n${text}`,
      `${size}\r\n${text}\r\n`,
      `${size}\r\n${text}x\r\n0\r\n\r\n`,
      `zz\r\n${text}\r\n0\r\n\r\n`,
      `-1\r\n${text}\r\n0\r\n\r\n`,
      `ffffffffffffffff\r\n${text}`,
      `${size};${'x'.repeat(20_000)}\r\n${text}\r\n0\r\n\r\n`,
      `${size}\n${text}\n0\n\n`,
      `${size}\r\n${text}\r\n0\r\nx-trailer: 1\r\ncontent-length: 5\r\n\r\n`,
      `${size}\r\n${text}\r\n0\r\n${'x: y\r\n'.repeat(5000)}\r\n`,
      `${'1\r\nx\r\n'.repeat(5000)}0\r\n\r\n`,
    ]);
    draft.body = Buffer.from(broken, 'latin1');
  }),
];
