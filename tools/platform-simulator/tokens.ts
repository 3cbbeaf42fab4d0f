import { type KeyObject, verify } from 'node:crypto';

interface ClaimNames {
  userId: string;
  userDirectory: string;
}

/** The user of a valid token; undefined when the signature, the expiry or a claim is wrong (RFC 7519, RS256). */
export function userOfToken(token: string, key: KeyObject, names: ClaimNames): string | undefined {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    key,
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return undefined;
  const content = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
  const isLive = typeof content['exp'] === 'number' && content['exp'] * 1000 > Date.now();
  const [userId, userDirectory] = [content[names.userId], content[names.userDirectory]];
  if (!isLive || typeof userId !== 'string' || typeof userDirectory !== 'string') return undefined;
  return `UserDirectory=${userDirectory}; UserId=${userId}`;
}
