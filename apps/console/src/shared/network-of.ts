const local: [RegExp, string][] = [
  [/^(127\.|::1$|::ffff:127\.)/, 'this computer'],
  [/^(::ffff:)?(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)/, 'local network'],
  [/^f[cd][0-9a-f]{2}:|^fe80:/i, 'local network'],
];

/** The network of an address, as far as the address itself tells: no other service is asked about it. */
export const networkOf = (ip: string): string =>
  local.find(([pattern]) => pattern.test(ip))?.[1] ?? (ip === '' ? 'unknown' : 'internet');
