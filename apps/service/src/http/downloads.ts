import { Readable } from 'node:stream';
import type { Route } from '@kaptain/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment } from './file-names.ts';
import { Outgoing } from './outgoing.ts';

type Chunks = AsyncIterable<string | Uint8Array>;

/** A file or stream on its way to the caller. Nothing of `chunks` is asked for before the answer begins; who has yielded one has given it away. */
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
  return new Outgoing(await iterator.next(), iterator);
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
