import type { Server, Socket } from 'node:net';
import type { Log } from '../../base/logging/logs.ts';
import { READER_LOOKS_PER_SPAN } from '../tuning.ts';

interface ReaderTimes {
  /** In every span of this length in which the service waits for a reader … */
  readSpanMs: number;
  /** … the reader must take at least this many bytes. */
  readBytesPerSpan: number;
}

/** Counters of Node's TCP handle: all bytes written, and those of them that the kernel has not taken yet. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

/** A reader that the service waits for: what it had taken at the start of the span, and the number of samples since. */
interface Span {
  takenBefore: number;
  looks: number;
}

/**
 * Closes connections whose readers take an answer too slowly: each holds a permit, a database connection or a thread.
 * Only time with bytes waiting in the socket counts, so that a slow database is not blamed on the reader. It samples
 * the TCP sockets, also below TLS, because only they know how much of a large write the kernel has taken.
 */
export function cutSlowReaders(server: Server, times: ReaderTimes, log: Log): void {
  const spans = new Map<Socket, Span | undefined>();

  function look(socket: Socket): void {
    const { _handle: handle } = socket as unknown as { _handle: Handle | null };
    const span = spans.get(socket);
    if (!handle || handle.writeQueueSize === 0) {
      if (span) spans.set(socket, undefined);
      return;
    }
    const taken = handle.bytesWritten - handle.writeQueueSize;
    if (!span) {
      spans.set(socket, { takenBefore: taken, looks: 0 });
      return;
    }
    span.looks += 1;
    if (span.looks < READER_LOOKS_PER_SPAN) return;
    if (taken - span.takenBefore >= times.readBytesPerSpan) {
      spans.set(socket, { takenBefore: taken, looks: 0 });
      return;
    }
    log.info(
      { ip: socket.remoteAddress, bytes: taken - span.takenBefore },
      'connection cut: it reads too slowly',
    );
    socket.destroy();
  }

  const timer = setInterval(() => {
    for (const socket of spans.keys()) look(socket);
  }, times.readSpanMs / READER_LOOKS_PER_SPAN).unref();
  server.once('close', () => clearInterval(timer));
  server.on('connection', (socket: Socket) => {
    spans.set(socket, undefined);
    socket.once('close', () => spans.delete(socket));
  });
}
