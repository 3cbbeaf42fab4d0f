import { Readable } from 'node:stream';
import type { Route } from '@kaptain/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment } from './file-names.ts';

type Chunks = AsyncIterable<string | Uint8Array>;

/** A file or stream on its way to the caller. Nothing of `chunks` is asked for before the answer begins. */
export interface Download {
  chunks: Chunks;
  /** With a name it is offered for saving. */
  fileName?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A JSON answer too large to be put together first. */
export class JsonStream {
  readonly chunks: Chunks;
  constructor(chunks: Chunks) {
    this.chunks = chunks;
  }
}

/** Waits for the first chunk, so that whatever fails until then is answered as any other error. */
async function begun(chunks: Chunks): Promise<Readable> {
  if (chunks instanceof Readable) return chunks;
  const iterator = chunks[Symbol.asyncIterator]();
  let next = await iterator.next();
  return Readable.from(
    (async function* () {
      try {
        // As bytes: the socket would turn text into them at a higher price.
        for (; !next.done; next = await iterator.next())
          yield typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
      } finally {
        await iterator.return?.();
      }
    })(),
    { highWaterMark: 2 },
  );
}

async function send(request: FastifyRequest, reply: FastifyReply, chunks: Chunks): Promise<FastifyReply> {
  // HEAD runs no download: it must neither be counted nor use up a ticket.
  if (request.method === 'HEAD') {
    if (chunks instanceof Readable) chunks.destroy();
    return reply.send('');
  }
  return reply.send(await begun(chunks));
}

export function sendDownload(
  { answer }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
): Promise<FastifyReply> {
  const fallback = answer.kind === 'download' ? answer.contentType : 'application/octet-stream';
  reply.type(download.contentType ?? fallback).headers(download.headers ?? {});
  if (download.fileName) reply.header('content-disposition', attachment(download.fileName));
  return send(request, reply, download.chunks);
}

export const sendJsonStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  stream: JsonStream,
): Promise<FastifyReply> => send(request, reply.type('application/json; charset=utf-8'), stream.chunks);
