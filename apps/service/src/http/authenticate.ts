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

/** Finds the caller of a request. An API key is accepted by the data API alone. */
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

/** Reads the caller of an earlier request again, with the rights they have now. */
export const callerFinder =
  (sessions: Sessions, apiKeys: ApiKeys) =>
  async (caller: Caller): Promise<Caller | undefined> => {
    const { sessionId, apiKeyId } = caller as Partial<SessionCaller>;
    if (sessionId !== undefined) return sessions.findById(sessionId);
    return apiKeyId === undefined ? undefined : apiKeys.findById(apiKeyId);
  };

/**
 * Redeems the ticket of a download. A prefetch by the browser does not use it up, because the user has not clicked
 * yet.
 */
export function ticketRedeemer(tickets: Tickets) {
  return (request: FastifyRequest): Promise<Caller | undefined> => {
    const { purpose, 'sec-purpose': secPurpose = purpose ?? '' } = request.headers;
    if (/prefetch|prerender/i.test(String(secPurpose)))
      throw new AppError('FORBIDDEN', 'A download can not be fetched ahead.');
    return tickets.redeem(request.url, request.method !== 'HEAD');
  };
}
