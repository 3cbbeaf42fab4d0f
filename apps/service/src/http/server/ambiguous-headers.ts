import type { IncomingMessage } from 'node:http';

/** Headers that may occur once. Of two, Node keeps the first or joins both, and a proxy may have used the other. */
const SINGLE = new Set([
  'host',
  'authorization',
  'x-api-key',
  'x-kaptain-user',
  'origin',
  'content-type',
  'content-length',
  'transfer-encoding',
]);

function repeated(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

/**
 * Why this service and a proxy in front of it could read the request differently; undefined when they can not. Node itself refuses
 * a length beside a transfer encoding.
 */
export function ambiguityOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion === '1.1' && !headers.host) return 'The header host is missing.';
  const name = repeated(rawHeaders);
  if (name) return `The header ${name} is given twice.`;
  const encoding = headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  return encoding === 'chunked' ? undefined : 'Only the transfer encoding chunked is understood.';
}
