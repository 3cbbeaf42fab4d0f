import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors/app-error.ts';
import type { AnswersInProgress } from './socket-errors.ts';

interface BodyTimes {
  /** Time limit for the whole body of a request that is not an upload. */
  requestMs: number;
  /** An upload must send at least `uploadBytesPerSpan` in each span of this length. */
  uploadSpanMs: number;
  uploadBytesPerSpan: number;
  /** An upload may take this long, and as much longer as its bytes take at `uploadBytesPerMs`. */
  uploadBaseMs: number;
  uploadBytesPerMs: number;
  /** How long the rest of a refused body is read: closing the socket at once would lose the answer. */
  lingerMs: number;
}

type Raw = FastifyRequest['raw'];

/** The route option for bodies that may take long. */
export const takesUploads = { takesUploads: true };

const isUpload = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as Partial<typeof takesUploads>).takesUploads === true;

const hasBody = ({ complete, headers }: Raw): boolean =>
  !complete && ((headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined);

const isWhole = ({ complete, readableEnded, destroyed }: Raw): boolean =>
  complete || readableEnded || destroyed;

/**
 * Ends requests whose body arrives too slowly. Node's `requestTimeout` holds for the whole server and would end long
 * uploads too.
 */
export function guardBody(
  request: FastifyRequest,
  reply: FastifyReply,
  times: BodyTimes,
  answersInProgress: AnswersInProgress,
): void {
  const { raw } = request;
  if (!hasBody(raw)) return;
  const isLong = isUpload(request);
  const [begunAt, first] = [performance.now(), raw.socket.bytesRead];
  let seen = first;
  const isInTime = (bytes: number) =>
    performance.now() - begunAt <= times.uploadBaseMs + bytes / times.uploadBytesPerMs;
  const look = () => {
    const now = raw.socket.bytesRead;
    const isFast = isLong && now - seen >= times.uploadBytesPerSpan && isInTime(now - first);
    seen = now;
    if (isWhole(raw) || isFast) return;
    stop();
    if (reply.raw.headersSent) raw.destroy();
    else answersInProgress.refuse(raw.socket, new AppError('REQUEST_TIMEOUT'));
  };
  const timer = setInterval(look, isLong ? times.uploadSpanMs : times.requestMs).unref();
  const stop = () => clearInterval(timer);
  raw.once('end', stop).once('close', stop);
  lingerOnClose(raw);
  reply.raw.once('finish', () => {
    if (isWhole(raw)) return;
    raw.resume();
    setTimeout(() => isWhole(raw) || raw.destroy(), times.lingerMs).unref();
  });
}

/**
 * The request whose body each socket receives, in one object per socket. With a new `destroySoon` for each request V8
 * kept many finished requests until the next full garbage collection.
 */
const receiving = new WeakMap<Raw['socket'], { raw: Raw | undefined }>();

/**
 * Closes only the sending half of the socket while the rest of the body arrives. After an answer with `Connection:
 * close` Node would destroy the socket; unread bytes then reset the connection, and the client loses the answer.
 */
function lingerOnClose(raw: Raw): void {
  const { socket } = raw;
  const present = receiving.get(socket) ?? lingering(socket);
  present.raw = raw;
  // The socket of a keep-alive connection forgets a finished request, unless the next one has taken its place.
  raw.once('close', () => {
    if (present.raw === raw) present.raw = undefined;
  });
}

function lingering(socket: Raw['socket']) {
  const present: { raw: Raw | undefined } = { raw: undefined };
  receiving.set(socket, present);
  const destroySoon = Object.getPrototypeOf(socket).destroySoon as () => void;
  socket.destroySoon = () => {
    const { raw } = present;
    if (!raw || isWhole(raw)) return destroySoon.call(socket);
    socket.end();
    raw.once('end', () => destroySoon.call(socket));
  };
  return present;
}
