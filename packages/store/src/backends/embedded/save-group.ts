import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Connection } from './connection.ts';
import { type Outcome, type Reply, type Request, toFailure } from './messages.ts';
import type { SaveRequest } from './save.ts';

/** Saves in one commit: more would make the first of them wait for the last. */
const MOST = 200;

type SaveCall = Request & { command: { kind: 'save' } };

const isSave = (request: Request): request is SaveCall => request.command.kind === 'save';

/**
 * Runs the saves of a message, and of all save messages that wait at the port, in one transaction, each in a savepoint:
 * they share the fsync of the commit. The answers go out after it. Returns the message behind them that is no save.
 */
export function saveTogether(
  port: MessagePort,
  connection: Connection,
  first: Request,
  save: (request: SaveRequest) => unknown,
): Request | undefined {
  const replies: Reply[] = [];
  const calls = [first.call];
  let next: Request | undefined = first;
  try {
    connection.run('BEGIN IMMEDIATE');
    for (let count = 0; next && isSave(next) && count < MOST; ) {
      const { call, command } = next;
      calls.push(call);
      next = undefined;
      const value = command.saves.map((request) => inSavepoint(connection, () => save(request)));
      replies.push({ call, value });
      count += value.length;
      next = receiveMessageOnPort(port)?.message as Request | undefined;
    }
    connection.run('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    const failure = toFailure(error);
    for (const call of new Set(calls)) port.postMessage({ call, failure });
    return next === first ? undefined : next;
  }
  for (const reply of replies) port.postMessage(reply);
  return next;
}

function inSavepoint(connection: Connection, work: () => unknown): Outcome {
  try {
    return { value: connection.atomically(work) };
  } catch (error) {
    // A full disk ends the whole transaction, and so all saves in it.
    if (!connection.inTransaction) throw error;
    return { failure: toFailure(error) };
  }
}
