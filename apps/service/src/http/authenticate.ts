import type { Access } from '@kaptain/contract';
import type { FastifyRequest } from 'fastify';
import type { ApiKeys } from '../security/api-keys.ts';
import type { Sessions } from '../security/sessions.ts';
import type { Tickets } from '../security/tickets.ts';
import { AppError } from './app-error.ts';
import { bearerToken } from './bearer.ts';
import type { Caller, SessionCaller } from './call.ts';

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

/** The caller of a request as they are some time later. */
export const callerFinder =
  (sessions: Sessions, apiKeys: ApiKeys) =>
  async (caller: Caller): Promise<Caller | undefined> => {
    const { sessionId, apiKeyId } = caller as Partial<SessionCaller>;
    if (sessionId !== undefined) return sessions.findById(sessionId);
    return apiKeyId === undefined ? undefined : apiKeys.findById(apiKeyId);
  };

/** The ticket of a download by navigation. Looking ahead must not use it up: the person has not clicked yet. */
export function ticketRedeemer(tickets: Tickets) {
  return (request: FastifyRequest): Promise<Caller | undefined> => {
    const { purpose, 'sec-purpose': secPurpose = purpose ?? '' } = request.headers;
    if (/prefetch|prerender/i.test(String(secPurpose)))
      throw new AppError('FORBIDDEN', 'A download can not be fetched ahead.');
    return tickets.redeem(request.url, request.method !== 'HEAD');
  };
}
