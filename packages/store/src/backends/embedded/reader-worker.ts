import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { Connection } from './connection.ts';
import { type ReaderCommand, reads } from './granules/reads.ts';
import { GranuleStream } from './granules/stream.ts';
import { toFailure } from './messages.ts';
import type { ThreadData } from './thread-data.ts';
import { READ_BUSY_MS } from './tuning.ts';

// Reads that may take long run on worker threads, so that the event loop of the service is not blocked.
const port = parentPort;
if (!port) throw new Error('A reader runs as a worker thread only.');

const { file } = workerData as ThreadData;
const connect = () => new Connection(file, { readOnly: true, busyMs: READ_BUSY_MS });
const streams = new Map<number, { stream: GranuleStream; turn: Promise<void> }>();
let opened: Connection | undefined;

port.on('message', ({ call, command }: { call: number; command: ReaderCommand }) => {
  execute(command).then(
    // Transfers bytes instead of copying them.
    (value) =>
      port.postMessage({ call, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []),
    (error: unknown) => port.postMessage({ call, failure: toFailure(error) }, []),
  );
});

async function execute(command: ReaderCommand): Promise<unknown> {
  switch (command.kind) {
    case 'read': {
      const read = reads[command.method] as (connection: Connection, ...args: unknown[]) => unknown;
      const connection = (opened ??= connect());
      // One snapshot for all statements of a read.
      return connection.snapshot(() => read(connection, ...command.args));
    }
    case 'open': {
      // Each stream keeps its own snapshot, so it needs a connection of its own.
      const stream = new GranuleStream(connect(), command.kapsuleId, command.filter);
      const turn = stream.begin();
      // The first chunk fails with it.
      turn.catch(() => undefined);
      streams.set(command.stream, { stream, turn });
      return undefined;
    }
    case 'next':
      return await next(command.stream);
    case 'end':
      return end(command.stream);
    case 'close':
      for (const id of streams.keys()) end(id);
      opened?.close();
      opened = undefined;
      return undefined;
  }
}

/** The next chunk; calls for one stream are answered in order, and calls for other streams run in between. */
async function next(id: number): Promise<Uint8Array | undefined> {
  const entry = streams.get(id);
  if (!entry) throw interrupted();
  const before = entry.turn;
  const { promise, resolve } = Promise.withResolvers<void>();
  entry.turn = promise;
  try {
    await before;
    for (;;) {
      if (!streams.has(id)) throw interrupted();
      const chunk = entry.stream.next();
      if (chunk?.length !== 0) return chunk;
      await setImmediate();
    }
  } finally {
    resolve();
  }
}

/**
 * The stream was opened on a thread that has died, or the store was closed: an error, because it was not read to its
 * end.
 */
const interrupted = () => new UnavailableError('The stream was interrupted; read it again.');

function end(id: number): void {
  streams.get(id)?.stream.end();
  streams.delete(id);
}
