import { DiskFullError, UnavailableError } from '../../errors.ts';
import { tlsFailure } from '../shared/tls-failure.ts';

/** Where the database is, for sentences; without secrets. */
interface Where {
  host: string;
  port: number;
  user: string;
  database: string;
}

const serverOf = ({ host, port }: Where) => `the PostgreSQL server ${host}:${port}`;

/** By SQLSTATE or by the code of the network, the longest beginning that fits; each a sentence for the admin. */
const sentences: Record<string, (where: Where) => string> = {
  ECONNREFUSED: (where) => `No server answers at ${serverOf(where)}; start it, or correct its host and port.`,
  ENOTFOUND: ({ host }) => `There is no computer named ${host}; correct the host of the database.`,
  EAI_AGAIN: ({ host }) =>
    `The name ${host} can't be looked up now; correct the host of the database or try again.`,
  '28': ({ user, ...where }) =>
    `${capital(serverOf({ user, ...where }))} refuses the user ${user}; correct the user, the password or the rights to log in.`,
  '3D000': ({ database, ...where }) =>
    `There is no database ${database} on ${serverOf({ database, ...where })}; create it, or correct its name.`,
  '42501': ({ user, database }) =>
    `The user ${user} lacks rights on the database ${database}; make the user its owner, or grant CREATE on it.`,
  '25006': (where) =>
    `${capital(serverOf(where))} can only be read now; connect to the one that can be written.`,
  '53300': (where) => `${capital(serverOf(where))} has no connection left; raise its max_connections.`,
  '57014': () => 'The database took too long for a step and was stopped; try again.',
  '57P03': (where) => `${capital(serverOf(where))} is starting or stopping; try again.`,
};

const RETRYABLE = new Set(['40001', '40P01']);

/** Classes whose other errors also mean: not usable now. */
const UNAVAILABLE_CLASSES = ['08', '53', '55', '57', '58', 'XX', '28', '3D'];

export function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Lost to another transaction: the same again may well succeed. */
export const isCollision = (error: unknown): boolean => RETRYABLE.has(codeOf(error));

const LOCK_NOT_AVAILABLE = '55P03';

/** A row was locked for longer than the transaction waits. */
export const isLocked = (error: unknown): boolean =>
  codeOf(error instanceof UnavailableError ? error.cause : error) === LOCK_NOT_AVAILABLE;

/** Turns what the driver reports into the store's own errors; anything else is a mistake of ours and stays as it is. */
export function fromPostgres(error: unknown, where: Where): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error;
  const code = codeOf(error);
  if (code === '53100') {
    return new DiskFullError(`The disk of ${serverOf(where)} is full; free some space on it.`);
  }
  const sentence = sentences[code] ?? sentences[code.slice(0, 2)];
  if (sentence) return new UnavailableError(sentence(where), { cause: error });
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
  if (isSqlState && !UNAVAILABLE_CLASSES.includes(code.slice(0, 2))) return error;
  if (!isSqlState && !isConnectionLoss(error, code)) return error;
  return new UnavailableError(`The connection to ${serverOf(where)} is lost; check that it runs.`, {
    cause: error,
  });
}

/** Anything that happens while connecting means that the database can't be used. */
export function fromConnecting(error: unknown, where: Where): Error {
  const translated = fromPostgres(error, where);
  if (translated instanceof UnavailableError || translated instanceof DiskFullError) return translated;
  const text = error instanceof Error ? error.message : '';
  if (/timeout|timed out/i.test(text)) {
    return new UnavailableError(`${capital(serverOf(where))} does not answer; check the network to it.`);
  }
  const failure = tlsFailure(error);
  if (failure) {
    return new UnavailableError(`No secure connection to ${serverOf(where)}: ${failure}.`, { cause: error });
  }
  return new UnavailableError(`No connection to ${serverOf(where)}; check its host, port and user.`, {
    cause: error,
  });
}

function isConnectionLoss(error: Error, code: string): boolean {
  if (/^E[A-Z]+$/.test(code)) return true;
  // The driver gives these no code.
  return /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded)|not queryable|Client was closed/.test(
    error.message,
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
