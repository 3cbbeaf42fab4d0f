import type { Route } from '@kaptain/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './caller.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { attachment } from './file-names.ts';
import { limited } from './limited.ts';
import type { OpenAnswer } from './open-answers.ts';
import { Outgoing } from './outgoing.ts';
import { turnOf } from './turn-of.ts';

type Chunks = AsyncIterable<string | Uint8Array>;

/** An answer that may take long. Nothing of `chunks` is asked for before the answer begins; who has yielded one has given it away. */
export interface LongAnswer {
  chunks: Chunks;
  /** The limit it counts against; by default the one for all long answers of the service. */
  limit?: ConcurrencyLimit | undefined;
  /** Fails when this caller may not have it, or no longer: asked before the first chunk and whenever rights have changed. */
  check?(caller: Caller): Promise<unknown>;
  /** How often it is asked at least, while chunks go out. */
  checkEveryMs?: number;
}

/** A file or stream on its way to the caller. */
export interface Download extends LongAnswer {
  /** With a name it is offered for saving. */
  fileName?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A JSON answer too large to be put together first. */
export class JsonStream {
  readonly answer: LongAnswer;
  constructor(answer: LongAnswer) {
    this.answer = answer;
  }
}

/** What the service knows of long answers: who asks, their place, and whether they may still have it. */
export interface Sending {
  userId: string;
  limit: ConcurrencyLimit;
  open: (answer: LongAnswer) => OpenAnswer | undefined;
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: LongAnswer,
  { userId, limit, open }: Sending,
): Promise<FastifyReply> {
  // HEAD runs no download: it must neither be counted nor use up a ticket.
  if (request.method === 'HEAD') return reply.send('');
  await turnOf(request, reply);
  const chunks = limited(answer.limit ?? limit, userId, () => answer.chunks);
  // Waits for the first chunk, so that whatever fails until then is answered as any other error.
  const first = await chunks.next();
  return reply.send(new Outgoing(first, chunks, open(answer)));
}

export function sendDownload(
  { answer }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  download: Download,
  sending: Sending,
): Promise<FastifyReply> {
  const fallback = answer.kind === 'download' ? answer.contentType : 'application/octet-stream';
  reply.type(download.contentType ?? fallback).headers(download.headers ?? {});
  if (download.fileName) reply.header('content-disposition', attachment(download.fileName));
  return send(request, reply, download, sending);
}

export const sendJsonStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  stream: JsonStream,
  sending: Sending,
): Promise<FastifyReply> =>
  send(request, reply.type('application/json; charset=utf-8'), stream.answer, sending);
