export type FailureCategory = 'refused' | 'timeout' | 'tls' | 'login' | 'other';

interface Details {
  /** The delay that the platform asks for before the next call. */
  retryAfterMs?: number;
  /** The failure is transient: a retry may succeed without any change. */
  isPassing?: boolean;
  /** The HTTP status that was answered. */
  status?: number;
}

/** The platform can't be reached or used; the message is one sentence for users and contains no secret. */
export class PlatformError extends Error {
  override name = 'PlatformError';
  readonly category: FailureCategory;
  readonly retryAfterMs: number | undefined;
  readonly isPassing: boolean;
  readonly status: number | undefined;
  constructor(category: FailureCategory, message: string, details: Details = {}) {
    super(message);
    this.category = category;
    this.retryAfterMs = details.retryAfterMs;
    this.status = details.status;
    this.isPassing = details.isPassing ?? (category === 'refused' || category === 'timeout');
  }
}

/** The most bytes of an answer by REST or a message of the engine; the list of all apps is the longest. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** An answer was cut because it is too long. */
export class LongAnswerError extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super('too long');
    this.maxBytes = maxBytes;
  }
}

const tooLong = (host: string, maxBytes: number) =>
  new PlatformError('other', `${host} answered with more than ${maxBytes.toLocaleString('en-US')} bytes.`);

const tls = (message: string) => new PlatformError('tls', message);

/** Messages for codes of TLS failures, which tell the administrator what to correct. */
const tlsSentences: [codes: RegExp, sentence: (host: string) => string][] = [
  [/CERT_HAS_EXPIRED/, (host) => `The certificate of ${host} has expired: renew it on the platform.`],
  [/CERT_NOT_YET_VALID/, (host) => `The certificate of ${host} is not valid yet: compare the clocks.`],
  [
    /ALTNAME_INVALID/,
    (host) => `The certificate of ${host} was issued for another name: enter the name in the certificate.`,
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|CERT_UNTRUSTED/,
    (host) => `The certificate of ${host} is not signed by the root certificate this service trusts.`,
  ],
  [
    /KEY_VALUES_MISMATCH/,
    () => 'The key file does not belong to the certificate file: upload the two of one export.',
  ],
  [
    /OSSL_|ERR_CRYPTO|NO_START_LINE|BAD_BASE64|PEM_/,
    () => 'A certificate or key file is not valid PEM, or its key is protected by a password.',
  ],
  [
    /ALERT|HANDSHAKE_FAILURE/,
    (host) => `${host} does not accept the client certificate: export it again from the platform.`,
  ],
  [/WRONG_VERSION_NUMBER|EPROTO/, (host) => `${host} does not speak TLS on this port: check host and port.`],
];

const textOf = (error: unknown, field: 'code' | 'message'): string => {
  const value = (error as Record<string, unknown> | null)?.[field];
  return typeof value === 'string' ? value : '';
};

/** Maps an HTTP status other than 2xx to a PlatformError. */
export function statusError(status: number, host: string, retryAfter?: string): PlatformError {
  if (status === 401 || status === 403)
    return new PlatformError(
      'login',
      `${host} refuses the login (${status}): check the user, the key and the clock of this service.`,
      { status },
    );
  if (status === 429) {
    const retryAfterMs = Math.max(1, Number(retryAfter) || 5) * 1000;
    return new PlatformError('other', `${host} asks for fewer calls (429).`, {
      retryAfterMs,
      isPassing: true,
    });
  }
  if (status >= 500)
    return new PlatformError('other', `${host} is not ready (${status}).`, { isPassing: true });
  return new PlatformError('other', `${host} answered ${status}: check host, prefix and app ID.`, { status });
}

/** Maps an error of a socket, a handshake or a file to a PlatformError. */
export function explain(error: unknown, host: string, withCertificate = false): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof LongAnswerError) return tooLong(host, error.maxBytes);
  const code = textOf(error, 'code');
  const text = textOf(error, 'message');
  const status = /Unexpected server response: (\d{3})/.exec(text)?.[1];
  if (status) return statusError(Number(status), host);
  if (/ETIMEDOUT|TIMEOUT/.test(code) || /timed out/i.test(text))
    return new PlatformError('timeout', `${host} does not answer in time.`);
  const sentence = tlsSentences.find(([codes]) => codes.test(code));
  if (sentence) return tls(sentence[1](host));
  if (/^ERR_(SSL|TLS)/.test(code)) return tls(`The secure connection to ${host} could not be established.`);
  switch (code) {
    case 'ECONNREFUSED':
      return new PlatformError('refused', `Nothing answers on ${host}: check host, port and firewall.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new PlatformError('refused', `The name of ${host} can't be found.`);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return new PlatformError('refused', `There is no network route to ${host}.`);
    case 'ECONNRESET':
    case 'EPIPE':
      // Many servers refuse a client certificate by closing the connection without a TLS alert.
      if (withCertificate)
        return new PlatformError(
          'tls',
          `${host} closed the connection; most likely it does not accept the client certificate.`,
          { isPassing: true },
        );
      return new PlatformError('refused', `${host} closed the connection.`);
    // A code of the library for websockets.
    case 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH':
      return tooLong(host, MAX_ANSWER_BYTES);
    default:
      return new PlatformError('other', `The connection to ${host} failed.`, { isPassing: true });
  }
}
