import { type Draft, headerOf, setHeader } from './draft.ts';

function multipartBody({ parts = [], boundary, isUnfinished }: Draft): Buffer {
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1'),
    content,
    Buffer.from('\r\n'),
  ]);
  const end = isUnfinished ? '' : `--${boundary}--\r\n`;
  return Buffer.concat([...pieces, Buffer.from(end, 'latin1')]);
}

function chunked(body: Buffer): Buffer {
  const half = Math.ceil(body.length / 2);
  const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
  return Buffer.concat([
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('0\r\n\r\n'),
  ]);
}

/** Writes the body of an upload before the framing, because mutations of the framing use its length. */
export function writeUpload(draft: Draft): void {
  if (!draft.parts) return;
  if (headerOf(draft, 'content-type') === undefined)
    setHeader(draft, 'content-type', `multipart/form-data; boundary=${draft.saidBoundary ?? draft.boundary}`);
  draft.body = multipartBody(draft);
}

/** The bytes of the request. Characters beyond Latin-1 are sent as UTF-8. */
export function serialise(draft: Draft): Buffer {
  const { body, framing } = draft;
  if (framing === 'length' && body) setHeader(draft, 'content-length', String(body.length));
  if (framing === 'chunked') setHeader(draft, 'transfer-encoding', 'chunked');
  const lines = [
    `${draft.method} ${draft.target} ${draft.version}`,
    ...draft.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`.toWellFormed());
  const sent = body ?? Buffer.alloc(0);
  return Buffer.concat([head, framing === 'chunked' ? chunked(sent) : sent]);
}
