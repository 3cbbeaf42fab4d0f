type FailureCategory = 'unknownHost' | 'refused' | 'timeout' | 'tls' | 'login' | 'other';

export const hints: Record<FailureCategory, string> = {
  unknownHost: 'No server has this name: check its spelling, and the DNS of the machine the service runs on.',
  refused: 'No server answers there: check the port, and whether a firewall stands between.',
  timeout: 'There was no answer in time: check the host name and the network.',
  tls: 'The secure connection failed: check the certificates and the SSL setting.',
  login: 'The login was refused: check the user name and the password.',
  other: 'Check the values of this section; the system log has the details.',
};

const codes: [RegExp, FailureCategory][] = [
  [/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE)$/, 'refused'],
  [/TIMEOUT|ETIMEDOUT/, 'timeout'],
  [/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/, 'tls'],
  [/^(28P01|28000|3D000|ER_ACCESS_DENIED_ERROR|ELOGIN|18)$/, 'login'],
];
const names: [RegExp, FailureCategory][] = [
  [/^MongoNetworkTimeout/, 'timeout'],
  [/^Mongo(Network|ServerSelection)/, 'refused'],
];
/** For drivers whose errors have no code. */
const words: [RegExp, FailureCategory][] = [
  [/time(d )?out/i, 'timeout'],
  [/SSL|TLS|certificate/i, 'tls'],
];

const found = (table: [RegExp, FailureCategory][], text: unknown): FailureCategory | undefined =>
  typeof text === 'string' || typeof text === 'number'
    ? table.find(([pattern]) => pattern.test(String(text)))?.[1]
    : undefined;

const isCategory = (value: unknown): value is FailureCategory =>
  typeof value === 'string' && Object.hasOwn(hints, value);

/** Some drivers keep the failed look-up of the name only in a message, and call it a refused connection. */
function isUnknownHost(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (/\b(ENOTFOUND|EAI_AGAIN)\b/.test(typeof code === 'string' ? `${code} ${at.message}` : at.message))
      return true;
  }
  return false;
}

/** The category of a failed connection, by the error itself or by its code. */
export function categoryOf(error: unknown): FailureCategory {
  if (isUnknownHost(error)) return 'unknownHost';
  let last: Error | undefined;
  for (let at = error; at instanceof Error; at = at.cause) {
    const { category, code } = at as { category?: unknown; code?: unknown };
    if (isCategory(category)) return category;
    const match = found(codes, code) ?? found(names, at.name);
    if (match) return match;
    last = at;
  }
  return found(words, last?.message) ?? 'other';
}
