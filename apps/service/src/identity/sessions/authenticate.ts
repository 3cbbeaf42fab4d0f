import type { Access } from '@kaptain/contract';
import type { FastifyRequest } from 'fastify';
import type { Caller, ExtensionCaller, SessionCaller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { ApiKeys } from '../api-keys/api-keys.ts';
import { type ExtensionAccess, isExtensionToken } from '../extension/extension-access.ts';
import type { Tickets } from '../tickets/tickets.ts';
import { bearerToken } from './bearer-token.ts';
import type { Sessions } from './sessions.ts';

const BEARER_KEY = /^Bearer +([!-~]{32,512})$/i;
const LONGEST_KEY = 512;

const NOT_FOR_EXTENSION = 'A token of the extension opens the data of its kapsules alone.';
const EXTENSION_ALONE = 'This call takes a token of the extension alone.';

interface Credentials {
  sessions: Sessions;
  apiKeys: ApiKeys;
  extensionAccess: ExtensionAccess;
}

/** Calls about one kapsule that a token of the extension opens. */
const isAboutKapsule = (access: Access) => access === 'dataApi' || access === 'loggedInOrExtension';

/** Refuses every other kapsule alike, whether it exists or not. */
function requireKapsule(opened: readonly string[], request: FastifyRequest): void {
  const { id } = request.params as { id?: string };
  if (!opened.includes(id ?? '')) throw new AppError('FORBIDDEN');
}

/** Refuses a valid token of the extension on a call that takes none, and on a page or a kapsule that it was not issued for. */
function requireOpened({ extension }: ExtensionCaller, request: FastifyRequest, access: Access): void {
  const isOpened = isAboutKapsule(access) || access === 'extension';
  if (!isOpened) throw new AppError('FORBIDDEN', NOT_FOR_EXTENSION);
  const { origin } = request.headers;
  if (origin !== undefined && origin !== extension.origin)
    throw new AppError('FOREIGN_ORIGIN', 'This token was issued for another web page.');
  if (isAboutKapsule(access)) requireKapsule(extension.kapsuleIds, request);
}

/** Refuses a valid API key on a call that takes none, and on a kapsule that it is not limited to. */
function requireForKey({ kapsuleIds }: Caller, request: FastifyRequest, access: Access): void {
  if (access !== 'dataApi' && access !== 'loggedInOrKey') throw new AppError('API_KEY_NOT_ALLOWED');
  // Calls without a kapsule in their address check the limit themselves; the only one of the data API creates a kapsule.
  const namesKapsule = 'id' in (request.params as object);
  if (kapsuleIds && (access === 'dataApi' || namesKapsule)) requireKapsule(kapsuleIds, request);
}

/** Finds the caller of a request. API keys are accepted where the access of the route names them. */
export function authenticator({ sessions, apiKeys, extensionAccess }: Credentials) {
  return async (request: FastifyRequest, access: Access): Promise<Caller | undefined> => {
    const token = bearerToken(request);
    if (token !== undefined && isExtensionToken(token)) {
      const found = await extensionAccess.find(token);
      if (found) requireOpened(found, request, access);
      return found;
    }
    const found = token === undefined ? undefined : await sessions.find(token);
    if (found && access === 'extension') throw new AppError('FORBIDDEN', EXTENSION_ALONE);
    if (found) return found;
    const { authorization = '', 'x-api-key': given } = request.headers;
    const key = typeof given === 'string' ? given : BEARER_KEY.exec(authorization)?.[1];
    const byKey = key === undefined || key.length > LONGEST_KEY ? undefined : await apiKeys.find(key);
    if (byKey) requireForKey(byKey, request, access);
    return byKey;
  };
}

/** Reads the caller of an earlier request again, with the rights they have now. */
export const callerFinder =
  ({ sessions, apiKeys, extensionAccess }: Credentials) =>
  async (caller: Caller): Promise<Caller | undefined> => {
    const { sessionId, apiKeyId, extension } = caller as Partial<ExtensionCaller>;
    if (extension !== undefined) return extensionAccess.findById(extension.id);
    if (sessionId !== undefined) return sessions.findById(sessionId);
    return apiKeyId === undefined ? undefined : apiKeys.findById(apiKeyId);
  };

/**
 * Redeems the ticket of a download. A prefetch by the browser does not use it up, because the user has not clicked
 * yet.
 */
export function ticketRedeemer(tickets: Tickets) {
  return (request: FastifyRequest): Promise<SessionCaller | undefined> => {
    const { purpose, 'sec-purpose': secPurpose = purpose ?? '' } = request.headers;
    if (/prefetch|prerender/i.test(String(secPurpose)))
      throw new AppError('FORBIDDEN', 'A download can not be fetched ahead.');
    return tickets.redeem(request.url, request.method !== 'HEAD');
  };
}
