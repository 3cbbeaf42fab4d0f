import { type Api, api, type Route } from '@kaptain/contract';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import type { Tickets } from './tickets.ts';

const patternOf = ({ path }: Route): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);

const downloads = Object.values<Api[string]>(api)
  .flatMap((routes) => Object.values(routes))
  .filter(({ method, answer }) => method === 'GET' && answer.kind === 'download')
  .map((route) => ({ route, pattern: patternOf(route) }));

/** The download at this address. Only a normalised URL has one, so that all parsers read it alike. */
function downloadAt(path: string): Route | undefined {
  if (!path.startsWith('/') || !URL.canParse(path, 'http://service')) return undefined;
  const { host, pathname, search, searchParams, hash } = new URL(path, 'http://service');
  const isPlain = host === 'service' && hash === '' && pathname + search === path;
  if (!isPlain || searchParams.has('ticket')) return undefined;
  return downloads.find(({ pattern }) => pattern.test(pathname))?.route;
}

interface Deps {
  tickets: Tickets;
  /** Refuses a caller whose proof of identity is too old for the route. */
  checkIdentity: (route: Route, caller: Caller) => void;
}

export const downloadsRoutes = ({ tickets, checkIdentity }: Deps): Handlers<typeof api.downloads> => ({
  async ticket({ body }, { caller }) {
    const route = downloadAt(body.path);
    if (!route) throw new AppError('BAD_INPUT', 'There is no download at this address.');
    checkIdentity(route, caller);
    return { url: await tickets.issue(body.path, caller) };
  },
});
