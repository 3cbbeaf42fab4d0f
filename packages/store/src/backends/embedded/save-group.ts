import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { DiskFullError, UnavailableError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { type Command, type Outcome, type Reply, type Request, toFailure } from './messages.ts';
import type { SaveRequest } from './save.ts';

/** Saves in one commit: more would make the first of them wait for the last. */
const MOST = 200;

interface SaveCall extends Request {
  command: Extract<Command, { kind: 'save' }>;
}

type Save = (request: SaveRequest) => unknown;

const isSave = (request: Request): request is SaveCall => request.command.kind === 'save';

/** Whether the file could not be written, which concerns all saves of a transaction, not the one that noticed it. */
export const isOfFile = (error: unknown): boolean =>
  error instanceof UnavailableError || error instanceof DiskFullError;

/**
 * Runs the saves of a message, and of all save messages that wait at the port, in one transaction: they share the fsync of
 * the commit. The answers go out after it. Returns the message behind them that is no save.
 */
export function saveTogether(
  port: MessagePort,
  connection: Connection,
  first: SaveCall,
  save: Save,
): Request | undefined {
  const calls = [first];
  let rest: Request | undefined;
  const nextCall = (): SaveCall | undefined => {
    if (calls.reduce((sum, { command }) => sum + command.saves.length, 0) >= MOST) return undefined;
    const message = receiveMessageOnPort(port)?.message as Request | undefined;
    if (message && isSave(message)) {
      calls.push(message);
      return message;
    }
    rest = message;
    return undefined;
  };
  const takeAll = (): Reply[] => {
    const done: Reply[] = [];
    for (let call: SaveCall | undefined = first; call; call = nextCall())
      done.push(replyTo(call, (request) => ({ value: save(request) })));
    return done;
  };
  try {
    for (const reply of committed(connection, takeAll, () => apart(connection, calls, save)))
      port.postMessage(reply);
  } catch (error) {
    const failure = toFailure(error);
    for (const { call } of calls) port.postMessage({ call, failure });
  }
  return rest;
}

/**
 * A savepoint copies every page that is changed in it. So the saves run without; when one of them fails, the
 * transaction is rolled back, and they run again with a savepoint each.
 */
function committed<T>(connection: Connection, run: () => T, runApart: () => T): T {
  try {
    return connection.atomically(run);
  } catch (error) {
    if (isOfFile(error)) throw error;
    return connection.atomically(runApart);
  }
}

const apart = (connection: Connection, calls: readonly SaveCall[], save: Save): Reply[] =>
  calls.map((call) => replyTo(call, (request) => inSavepoint(connection, () => save(request))));

const replyTo = ({ call, command }: SaveCall, run: (request: SaveRequest) => Outcome): Reply => ({
  call,
  value: command.saves.map(run),
});

function inSavepoint(connection: Connection, work: () => unknown): Outcome {
  try {
    return { value: connection.atomically(work) };
  } catch (error) {
    // A full disk ends the whole transaction, and so all saves in it.
    if (!connection.inTransaction) throw error;
    return { failure: toFailure(error) };
  }
}
