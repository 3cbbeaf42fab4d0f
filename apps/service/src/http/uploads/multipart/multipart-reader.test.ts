import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedError } from './malformed.ts';
import { MultipartReader } from './multipart-reader.ts';

interface ReadPart {
  name: string;
  fileName: string | undefined;
  content: string;
}

async function* inPieces(body: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function readAll(body: string | Buffer, size = 65_536, boundary = 'b'): Promise<ReadPart[]> {
  const reader = new MultipartReader(inPieces(Buffer.from(body as string), size), boundary);
  const parts: ReadPart[] = [];
  for (let part = await reader.nextPart(); part; part = await reader.nextPart()) {
    const pieces: Buffer[] = [];
    for (let bytes = await reader.read(); bytes; bytes = await reader.read()) pieces.push(bytes);
    parts.push({ ...part, content: Buffer.concat(pieces).toString('latin1') });
  }
  return parts;
}

const disposition = (rest: string) => `Content-Disposition: form-data; ${rest}`;
const file = (rest: string, content = 'x') => `--b\r\n${disposition(rest)}\r\n\r\n${content}\r\n--b--\r\n`;

describe('the multipart reader', () => {
  it('reads the same parts however the bytes are split', async () => {
    const body = [
      'a preamble\r\n--b \t\r\n',
      `content-type: text/plain\r\n${disposition('name="note"')}\r\n\r\none\r\n`,
      `--b\r\n${disposition('name="files"; filename="Ü.kap"')}\r\n\r\n\r\n-\r\n--\r\n-b\r\r\n\r\n`,
      `--b\r\n${disposition('name="files"; filename="empty.kap"')}\r\n\r\n\r\n`,
      '--b--\r\nan epilogue\r\n--b\r\n',
    ].join('');
    const expected = [
      { name: 'note', fileName: undefined, content: 'one' },
      { name: 'files', fileName: 'Ü.kap', content: '\r\n-\r\n--\r\n-b\r\r\n' },
      { name: 'files', fileName: 'empty.kap', content: '' },
    ];
    for (let size = 1; size <= body.length; size++) expect(await readAll(body, size)).toEqual(expected);
  });

  it('is malformed wherever it is cut before the closing delimiter', async () => {
    const body = file('name="files"; filename="a.kap"', 'content\r\n-');
    const closed = body.lastIndexOf('--') + 2;
    for (let end = 0; end < closed; end++)
      await expect(readAll(body.slice(0, end), 7)).rejects.toThrow(MalformedError);
    expect(await readAll(body.slice(0, closed))).toHaveLength(1);
  });

  it('skips the unread rest of a part', async () => {
    const body = Buffer.from(file('name="a"', 'x'.repeat(1000)).replace('--b--', file('name="c"')));
    const reader = new MultipartReader(inPieces(body, 10), 'b');
    expect([await reader.nextPart(), await reader.read(), await reader.nextPart()]).toMatchObject([
      { name: 'a' },
      expect.any(Buffer),
      { name: 'c' },
    ]);
    expect(await reader.nextPart()).toBeUndefined();
  });

  it.each([
    ['name=files; filename=a.kap', 'files', 'a.kap'],
    ['NAME="files";FileName="a;b=\\"c\\".kap"', 'files', 'a;b="c".kap'],
    ['name="files"; filename="C:\\Temp\\a.kap"', 'files', 'a.kap'],
    ['name="files"; filename="../../a.kap"', 'files', 'a.kap'],
    ['name="files"; filename=""', 'files', ''],
    ["name=files; filename=x.kap; filename*=utf-8''%C3%9C.kap", 'files', 'Ü.kap'],
    ["name=files; filename*=utf-8''..%2F..%2Fa.kap;", 'files', 'a.kap'],
    ['name="__proto__"', '__proto__', undefined],
  ])('understands %s', async (rest, name, fileName) => {
    expect(await readAll(file(rest))).toEqual([{ name, fileName, content: 'x' }]);
  });

  it.each([
    ['no name', file('filename="a.kap"')],
    ['two names', file('name="a"; name="b"')],
    ['an open quote', file('name="a; filename=b')],
    ['text between parameters', file('name="a" filename="b"')],
    ['broken UTF-8', file("name=a; filename*=utf-8''%FF")],
    ['another charset', file("name=a; filename*=latin1''a")],
    ['another disposition', file('').replace('form-data', 'attachment')],
    ['two dispositions', file(`name="a"\r\n${disposition('name="c"')}`)],
    ['a folded header', file('name="a";\r\n filename="b"')],
    ['a bare line feed in a header', file('name="a"\nX: y')],
    ['a header without a colon', file('name="a"\r\nX')],
    ['a long header', file(`name="${'a'.repeat(9000)}"`)],
    ['long padding', `--b${' '.repeat(100)}\r\n`],
  ])('refuses %s', async (_, body) => {
    await expect(readAll(body)).rejects.toThrow(MalformedError);
  });

  it('returns parts or is malformed, and never anything else, on any input', async () => {
    const words = [
      '\r\n',
      '\r',
      '\n',
      '--b',
      '--',
      '-',
      'b',
      ' ',
      ';',
      '"',
      '\\',
      '=',
      "*=utf-8''%",
      'name',
      'x',
    ];
    words.push('Content-Disposition: form-data', '; name="a"', '; filename="b"', '\r\n\r\n', '--b--', ':');
    const outcomes = new Set<string>();
    const inputs = fc.array(fc.constantFrom(...words), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(inputs, fc.integer({ min: 1, max: 9 }), async (input, size) => {
        const outcome: unknown = await readAll(input.join(''), size).catch((error: unknown) => error);
        outcomes.add(outcome instanceof Error ? outcome.name : 'parts');
      }),
      { numRuns: 2000 },
    );
    // Nearly every input is malformed; a valid one is possible.
    expect([...outcomes].filter((outcome) => outcome !== 'parts')).toEqual(['MalformedError']);
  });

  it('returns every content unchanged, for any bytes', async () => {
    const contents = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 4 });
    const boundary = '----WebKitFormBoundary7MA4';
    await fc.assert(
      fc.asyncProperty(contents, fc.integer({ min: 1, max: 50 }), async (parts, size) => {
        const pieces = parts.flatMap((content, index) => [
          Buffer.from(`--${boundary}\r\n${disposition(`name="p${index}"`)}\r\n\r\n`),
          content,
          Buffer.from('\r\n'),
        ]);
        const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--`)]);
        expect(await readAll(body, size, boundary)).toEqual(
          parts.map((content, index) => ({
            name: `p${index}`,
            fileName: undefined,
            content: Buffer.from(content).toString('latin1'),
          })),
        );
      }),
    );
  });
});
