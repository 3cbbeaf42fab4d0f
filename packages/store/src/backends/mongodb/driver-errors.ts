import type { MongoError } from 'mongodb';
import { DiskFullError, UnavailableError } from '../../errors.ts';
import { noAnswer } from '../shared/circuit-breaker.ts';
import { tlsFailure } from '../shared/tls-failure.ts';

const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;
const OUT_OF_DISK = 14031;
/** The server shuts down, steps down or has been interrupted. */
const GOING_AWAY = new Set([7, 89, 91, 189, 6, 9001, 10107, 11600, 11602, 13435, 13436, 64]);
const CONNECTION =
  /^Mongo(Network|ServerSelection|ServerClosed|TopologyClosed|NotConnected|PoolClosed|PoolCleared|WaitQueueTimeout|ClientClosed|OperationTimeout|ExpiredSession|StalePrimary|System)/;
/** The driver reached an impossible state of its own: a connection was lost while it used a session, a cursor or a pool. */
const BROKEN_STATE = /^MongoRuntimeError$/;
/** Codes of Node's errors when a connection is lost while the driver writes to it: the driver passes these errors on as they are. */
const LOST_SOCKET = /^(EPIPE|ECONNRESET|ECONNABORTED)$/;
/** Something answers that is no MongoDB, e.g. another program on the port of a server that has ended. */
const NONSENSE = /^Mongo(Parse|UnexpectedServerResponse|Decompression)Error$/;

/** Turns what the driver reports into the store's own errors; anything else is a mistake of ours and stays as it is. */
export function fromMongo(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if ('code' in error && LOST_SOCKET.test(String(error.code))) return noAnswer(error);
  if (!error.name.startsWith('Mongo')) return error;
  // Bulk writes wrap whatever stopped them.
  const { errorResponse } = error as { errorResponse?: unknown };
  if (errorResponse instanceof Error) return fromMongo(errorResponse);
  if (isTransient(error)) return noAnswer(error);
  const code = (error as MongoError).code;
  if (code === AUTHENTICATION_FAILED || code === UNAUTHORIZED) {
    return new UnavailableError('The database refuses the user name or the password; check both.', {
      cause: error,
    });
  }
  if (code === OUT_OF_DISK)
    return new DiskFullError('The disk of the database is full; free some space on it.');
  const isAway = [CONNECTION, BROKEN_STATE, NONSENSE].some((names) => names.test(error.name));
  if (isAway || (typeof code === 'number' && GOING_AWAY.has(code))) return noAnswer(error);
  if (error.name === 'MongoCompatibilityError') {
    return new UnavailableError('The database server is too old; MongoDB 4.4 or a later version is needed.');
  }
  return error;
}

/** While the database is opened, whatever the server refuses is for the admin to set right. */
export function fromOpening(error: unknown): unknown {
  const failure = tlsFailure(error);
  if (failure) {
    return new UnavailableError(`No secure connection to the MongoDB server: ${failure}.`, { cause: error });
  }
  const translated = fromMongo(error);
  if (!(translated instanceof Error) || !translated.name.startsWith('Mongo')) return translated;
  // The name of the refusal and not its text, which may quote what was sent.
  const { codeName } = translated as { codeName?: unknown };
  const why = typeof codeName === 'string' ? ` (${codeName})` : '';
  return new UnavailableError(
    `The database can not be used${why}; check its version, its name, and whether it has this user.`,
    { cause: error },
  );
}

export const isDuplicate = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 11_000;

export const isCursorLost = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 43;

export const isOutOfTime = (error: unknown) => error instanceof Error && 'code' in error && error.code === 50;

export const isExisting = (error: unknown) => error instanceof Error && 'code' in error && error.code === 48;

/** The index, or its collection, does not exist. */
export const isMissingIndex = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 27 || error.code === 26);

/** A transaction that was aborted may run again. */
export function isTransient(error: unknown): boolean {
  const labelled = error as { hasErrorLabel?: (label: string) => boolean };
  return labelled.hasErrorLabel?.('TransientTransactionError') ?? false;
}
