import type { Route } from '@kaptain/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../base/call/caller.ts';
import { afterEarlierAnswers } from '../answers/after-earlier-answers.ts';
import type { OpenAnswer } from '../answers/open-answers.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import { limited } from '../limits/limited.ts';
import { attachment } from './file-names.ts';
import { Outgoing } from './outgoing.ts';

type Chunks = AsyncIterable<string | Uint8Array>;

/**
 * An answer that may take long. `chunks` is not read before the answer begins; the memory of a yielded chunk is freed
 * once it is sent.
 */
export interface LongAnswer {
  chunks: Chunks;
  /** The limit it counts against; by default the one for all long answers of the service. */
  limit?: ConcurrencyLimit | undefined;
  /**
   * Throws when this caller may not have the answer; called before the first chunk and after every change of rights.
   */
  check?(caller: Caller): Promise<unknown>;
  /** The longest time between two calls of `check`, while chunks are sent. */
  checkEveryMs?: number;
}

/** A file or stream that is sent to the caller. */
export interface Download extends LongAnswer {
  /** With a name the browser saves it as a file. */
  fileName?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A JSON answer that is streamed, because it is too large to be built in memory. */
export class JsonStream {
  readonly answer: LongAnswer;
  constructor(answer: LongAnswer) {
    this.answer = answer;
  }
}

/** The caller of a long answer, the limit it counts against, and the check of the caller's rights. */
interface Sending {
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
  // HEAD reads no download: it is not audited and uses up no ticket.
  if (request.method === 'HEAD') return reply.send('');
  await afterEarlierAnswers(request, reply);
  const chunks = limited(answer.limit ?? limit, userId, () => answer.chunks);
  // Waits for the first chunk, so that an error until then is answered like any other.
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
