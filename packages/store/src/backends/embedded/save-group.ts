import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Connection } from './connection.ts';
import { type Command, type Outcome, type Reply, type Request, toFailure } from './messages.ts';
import type { SaveRequest } from './save.ts';
import { SAVE_GROUP_ROWS } from './tuning.ts';

interface SaveCall extends Request {
  command: Extract<Command, { kind: 'save' }>;
}

type Save = (request: SaveRequest) => unknown;

const isSave = (request: Request): request is SaveCall => request.command.kind === 'save';

const rowsOf = ({ command }: SaveCall) => command.saves.reduce((sum, { rows }) => sum + rows.length, 0);

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
  let rows = rowsOf(first);
  let rest: Request | undefined;
  const nextCall = (): SaveCall | undefined => {
    if (rows >= SAVE_GROUP_ROWS) return undefined;
    const message = receiveMessageOnPort(port)?.message as Request | undefined;
    if (message && isSave(message)) {
      calls.push(message);
      rows += rowsOf(message);
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
    requireNoTransaction(connection);
    for (const reply of committed(connection, takeAll, () => apart(connection, calls, save)))
      port.postMessage(reply);
  } catch (error) {
    const failure = toFailure(error);
    for (const { call } of calls) port.postMessage({ call, failure });
  }
  return rest;
}

/** Inside an open transaction, saves would be answered before anything is on the disk. */
function requireNoTransaction(connection: Connection): void {
  if (!connection.inTransaction) return;
  connection.exec('ROLLBACK');
  throw new Error('A transaction was left open.');
}

/**
 * A savepoint copies every page that is changed in it. So the saves run without; when one of them fails, the
 * transaction is rolled back, and they run again with a savepoint each.
 */
function committed<T>(connection: Connection, run: () => T, runApart: () => T): T {
  let hasBegun = false;
  try {
    return connection.atomically(() => {
      hasBegun = true;
      return run();
    });
  } catch (error) {
    // A file that another process holds is not waited for a second time.
    if (!hasBegun) throw error;
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
