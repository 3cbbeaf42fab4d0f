import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../../base/errors/app-error.ts';
import { UNREADABLE_LINGER_MS } from '../tuning.ts';
import { errorAnswer } from './errors.ts';
import { apiHeaders } from './headers.ts';

/** Answers on the bare socket, where Node has no request object yet, with the usual error body. */
function answerOnSocket(socket: Duplex, error: AppError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const answer = errorAnswer(error, randomUUID());
  const body = JSON.stringify(answer);
  const headers: Record<string, string> = {
    ...apiHeaders,
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': answer.requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${answer.statusCode} ${STATUS_CODES[answer.statusCode] ?? ''}`;
  endAndDiscard(socket, [status, ...lines, '', body].join('\r\n'));
}

/**
 * Closes the sending half and discards what still arrives, for 2 s at most: unread bytes would reset the connection,
 * and the client would lose the answer.
 */
function endAndDiscard(socket: Duplex, lastBytes?: string): void {
  const limit = setTimeout(() => socket.destroy(), UNREADABLE_LINGER_MS).unref();
  socket.once('close', () => clearTimeout(limit));
  socket.end(lastBytes);
  socket.resume();
}

/**
 * The answers in progress by socket; a client that pipelines its requests has several. Lists, because V8 kept many answers
 * that were deleted from a set until the next full garbage collection.
 */
export class AnswersInProgress {
  readonly #bySocket = new WeakMap<Socket, ServerResponse[]>();

  add(socket: Socket, answer: ServerResponse): void {
    const existing = this.#bySocket.get(socket);
    const answers = existing ?? [];
    if (!existing) this.#bySocket.set(socket, answers);
    answers.push(answer);
    answer.once('close', () => answers.splice(answers.indexOf(answer), 1));
  }

  /**
   * Answers a message that is no valid request. While another answer is being sent it closes the connection instead:
   * the client would take the error for a part of that answer.
   */
  refuse(socket: Socket, error: AppError): void {
    // Node reports every further piece of a request that it could not parse.
    if (socket.writableEnded) return;
    const answers = this.#bySocket.get(socket) ?? [];
    const present = answers.filter(({ writableFinished }) => !writableFinished);
    if (present.every(({ headersSent }) => !headersSent)) answerOnSocket(socket, error);
    else if (present.every(({ writableEnded }) => writableEnded)) endAndDiscard(socket);
    else socket.destroy();
  }
}

/** The error for a failure before there is a request: malformed HTTP, too many headers, or a time-out. */
export function socketError(code: string | undefined): AppError | undefined {
  if (code === 'ECONNRESET' || code === 'EPIPE') return undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('HEADERS_TOO_LARGE');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('REQUEST_TIMEOUT');
  return new AppError('BAD_REQUEST');
}
