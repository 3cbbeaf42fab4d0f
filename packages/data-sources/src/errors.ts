import { type DataSourceType, dataSourceNames } from '@kaptain/contract/data-source-names';

/** The kind of failure, the same for every engine. */
export type Category =
  | 'refused'
  | 'timeout'
  | 'tls'
  | 'login'
  | 'driver'
  | 'missingTable'
  | 'privilege'
  | 'exists'
  | 'foreign'
  | 'inUse'
  | 'tooLong'
  | 'overflow'
  | 'value'
  | 'deadlock'
  | 'busy'
  | 'binding'
  | 'other';

const sentences: Record<Category, string> = {
  refused: 'The server can not be reached.',
  timeout: 'The server did not answer in time.',
  tls: 'The TLS connection failed: check the TLS options and the certificate.',
  login: 'The server refused the user, the password or the database.',
  driver: 'Its driver is not installed.',
  missingTable: 'The table does not exist, or lacks a column.',
  privilege: 'Its user lacks a privilege for this operation.',
  exists: 'An object of this name exists already.',
  foreign: 'This table was not made by this service.',
  inUse: 'Other tables or views refer to this table.',
  tooLong: 'A value is too long for its column.',
  overflow: 'A number is too large for its column.',
  value: 'A value is not accepted by the table.',
  deadlock: 'Another transaction was writing to this table at the same time. Please try again.',
  busy: 'Another transaction is writing to this table. Please try again in a few seconds.',
  binding: 'This table can not be bound.',
  other: 'The server reported an error.',
};

/**
 * An expected failure of a data source. Its message is shown to users and names the source. The driver's message may
 * contain addresses and values, so it stays in `cause`, for the log.
 */
export class DataSourceError extends Error {
  override name = 'DataSourceError';
  readonly source: DataSourceType;
  readonly category: Category;
  /** The value of a field that its column refuses. */
  readonly refused: { key: string; field: string; value: unknown } | undefined;
  constructor(
    source: DataSourceType,
    category: Category,
    sentence = sentences[category],
    cause?: unknown,
    refused?: DataSourceError['refused'],
  ) {
    super(`${dataSourceNames[source]}: ${sentence}`, { cause });
    this.source = source;
    this.category = category;
    this.refused = refused;
  }
}

const networkCodes: Record<string, Category> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ECONNRESET: 'refused',
  EPIPE: 'refused',
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
};

/** Classifies errors of sockets and TLS, which every driver passes on. */
export function networkCategory(error: unknown): Category | undefined {
  const { code, message = '', errors } = error as { code?: unknown; message?: string; errors?: unknown[] };
  const category = networkCodes[String(code)];
  if (category) return category;
  if (errors?.[0] !== undefined) return networkCategory(errors[0]);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(String(code))) return 'tls';
  if (/certificate|\bSSL\b|\bTLS\b/i.test(message)) return 'tls';
  return undefined;
}
