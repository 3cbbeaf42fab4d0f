import type { RestAnswer, RestRequest } from './rest-answers.ts';

export interface SimulatedSession {
  /** The prefix of the virtual proxy; '' for the one without. */
  prefix: string;
  userDirectory: string;
  userId: string;
}

/**
 * The session call of the proxy (https://help.qlik.com/en-US/sense-developer/ Proxy Service API, "Session: Get"):
 * `/qps/session/{id}`, or `/qps/{prefix}/session/{id}` of a virtual proxy.
 */
export function answerProxy(
  sessions: ReadonlyMap<string, SimulatedSession>,
  { method, url, headers }: RestRequest,
): RestAnswer {
  const key = url.searchParams.get('xrfkey');
  if (key?.length !== 16 || headers['x-qlik-xrfkey'] !== key)
    return { status: 400, body: 'XSRF prevention check failed. Possible XSRF discovered.' };
  const [, prefix = '', id = ''] = /^\/qps(?:\/(.+))?\/session\/([^/]+)$/.exec(url.pathname) ?? [];
  const session = sessions.get(decodeURIComponent(id));
  if (method !== 'GET' || session?.prefix !== decodeURIComponent(prefix)) return { status: 404 };
  const { userDirectory: UserDirectory, userId: UserId } = session;
  return { status: 200, body: { UserDirectory, UserId, Attributes: [], SessionId: decodeURIComponent(id) } };
}
