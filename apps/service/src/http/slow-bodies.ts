import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import type { PresentAnswers } from './socket-errors.ts';

export interface BodyTimes {
  /** For the whole body of an ordinary request. */
  requestMs: number;
  /** An upload may take long, but in every such span it has to bring at least this. */
  uploadSpanMs: number;
  uploadBytesPerSpan: number;
  /** For the rest of a body that nobody wants any more: cut off at once, the caller would not see the answer. */
  lingerMs: number;
}

/** Where a route says that its body may take long. */
export const takesUploads = { takesUploads: true };

const isUpload = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as Partial<typeof takesUploads>).takesUploads === true;

const hasBody = ({ complete, headers }: FastifyRequest['raw']): boolean =>
  !complete && ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined);

/**
 * Ends requests whose body dribbles in. Node's own limit is one for the whole server and would end long uploads too.
 */
export function guardBody(
  request: FastifyRequest,
  reply: FastifyReply,
  times: BodyTimes,
  presentAnswers: PresentAnswers,
): void {
  const { raw } = request;
  if (!hasBody(raw)) return;
  const isLong = isUpload(request);
  const isWhole = () => raw.complete || raw.readableEnded || raw.destroyed;
  let seen = raw.socket.bytesRead;
  const look = () => {
    const now = raw.socket.bytesRead;
    const isFast = isLong && now - seen >= times.uploadBytesPerSpan;
    seen = now;
    if (isWhole() || isFast) return;
    stop();
    if (reply.raw.headersSent) raw.destroy();
    else presentAnswers.refuse(raw.socket, new AppError('REQUEST_TIMEOUT'));
  };
  const timer = setInterval(look, isLong ? times.uploadSpanMs : times.requestMs).unref();
  const stop = () => clearInterval(timer);
  raw.once('end', stop).once('close', stop);
  lingerOnClose(raw, isWhole);
  reply.raw.once('finish', () => {
    if (isWhole()) return;
    raw.resume();
    setTimeout(() => isWhole() || raw.destroy(), times.lingerMs).unref();
  });
}

/**
 * Closes only the half towards the client while the rest of the body arrives. Node would destroy the socket after an
 * answer with `Connection: close`; unread bytes then reset the connection, and the client loses the answer.
 */
function lingerOnClose(raw: FastifyRequest['raw'], isWhole: () => boolean): void {
  const { socket } = raw;
  const destroySoon = Object.getPrototypeOf(socket).destroySoon as () => void;
  socket.destroySoon = () => {
    if (isWhole()) return destroySoon.call(socket);
    socket.end();
    raw.once('end', () => destroySoon.call(socket));
  };
  // On a connection that stays open the next request has a body of its own to wait for.
  raw.once('close', () => {
    socket.destroySoon = destroySoon;
  });
}
