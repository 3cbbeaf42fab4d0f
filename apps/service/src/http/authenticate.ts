import type { Access } from '@kaptain/contract';
import type { FastifyRequest } from 'fastify';
import type { ApiKeys } from '../security/api-keys.ts';
import type { Sessions } from '../security/sessions.ts';
import { bearerToken } from './bearer.ts';
import type { Caller } from './call.ts';

const BEARER_KEY = /^Bearer +([!-~]{32,512})$/i;
const LONGEST_KEY = 512;

/** Who makes this request. An API key counts for the data API alone: anywhere else it is no credential at all. */
export function authenticator(sessions: Sessions, apiKeys: ApiKeys) {
  return async (request: FastifyRequest, access: Access): Promise<Caller | undefined> => {
    const token = bearerToken(request);
    const found = token === undefined ? undefined : await sessions.find(token);
    if (found || access !== 'dataApi') return found;
    const { authorization = '', 'x-api-key': given } = request.headers;
    const key = typeof given === 'string' ? given : BEARER_KEY.exec(authorization)?.[1];
    return key === undefined || key.length > LONGEST_KEY ? undefined : apiKeys.find(key);
  };
}
