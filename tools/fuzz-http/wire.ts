import { connect } from 'node:net';
import { type Reading, readAnswers } from './answers.ts';

/** The action of the client after it has sent all bytes. */
type Ending =
  /** Waits for the answer. */
  | 'answer'
  /** Closes its half of the connection, then waits. */
  | 'fin'
  /** Resets the connection. */
  | 'reset'
  /** Closes the connection a little later, whatever it has received. */
  | 'leave'
  /** Waits until the service closes the connection. */
  | 'wait';

/** A raw request: exactly these bytes, in these pieces. */
export interface Shot {
  bytes: Buffer;
  /** The offsets at which the bytes are split into separate writes, in order. */
  cuts: readonly number[];
  pauseMs: number;
  ending: Ending;
  /** No answer is correct too, because the service may wait for more. */
  isCut: boolean;
  /** The methods of the requests in it. */
  methods: readonly string[];
}

export interface Outcome {
  reading: Reading;
  /** Whether the service closed the connection. */
  isClosedByService: boolean;
  /** From the last byte sent to the answer. */
  ms: number;
  /** Whether the time limit has passed. */
  isLate: boolean;
  error?: string;
}

const LEAVE_MS = 150;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Sends one shot and reads what comes back. */
export function send(
  port: number,
  source: string | undefined,
  shot: Shot,
  limitMs: number,
): Promise<Outcome> {
  const { bytes, ending, methods } = shot;
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ...(source && { localAddress: source }),
      allowHalfOpen: true,
    });
    const chunks: Buffer[] = [];
    let sentAt = performance.now();
    let isDone = false;
    let isClosedByService = false;
    let error: string | undefined;
    const finish = (isLate = false) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(limit);
      clearTimeout(leave);
      const reading = readAnswers(Buffer.concat(chunks), methods, isClosedByService);
      if (ending === 'reset') socket.resetAndDestroy();
      else socket.destroy();
      const ms = performance.now() - sentAt;
      resolve({ reading, isClosedByService, ms, isLate, ...(error !== undefined && { error }) });
    };
    const limit = setTimeout(() => finish(true), limitMs);
    let leave: NodeJS.Timeout | undefined;
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const reading = readAnswers(Buffer.concat(chunks), methods, false);
      const isAll = reading.answers.length >= methods.length && !reading.isPartial;
      if (reading.problem !== undefined || isAll || reading.isEndless) finish();
    });
    socket.once('end', () => {
      isClosedByService = true;
      finish();
    });
    socket.once('close', () => {
      isClosedByService = true;
      finish();
    });
    socket.once('error', (failure: NodeJS.ErrnoException) => {
      error = failure.code ?? failure.message;
    });
    const write = async () => {
      let from = 0;
      for (const cut of [...shot.cuts, bytes.length]) {
        if (isDone || socket.destroyed) return;
        socket.write(bytes.subarray(from, cut));
        from = cut;
        if (cut < bytes.length) await pause(shot.pauseMs);
      }
      sentAt = performance.now();
      if (ending === 'fin') leave = setTimeout(() => socket.end(), shot.pauseMs);
      if (ending === 'reset') leave = setTimeout(finish, shot.pauseMs);
      if (ending === 'leave') leave = setTimeout(finish, LEAVE_MS);
    };
    socket.once('connect', () => void write());
  });
}
