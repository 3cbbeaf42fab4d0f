import { type Api, api, type Route } from '@kaptain/contract';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/call.ts';
import type { Tickets } from '../../security/tickets.ts';

const patternOf = ({ path }: Route): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);

const patterns = Object.values<Api[string]>(api)
  .flatMap((routes) => Object.values(routes))
  .filter(({ method, answer }) => method === 'GET' && answer.kind === 'download')
  .map(patternOf);

/** Accepts only a normalised URL, so that all parsers read it alike. */
function isDownload(path: string): boolean {
  if (!path.startsWith('/') || !URL.canParse(path, 'http://service')) return false;
  const { host, pathname, search, searchParams, hash } = new URL(path, 'http://service');
  const isPlain = host === 'service' && hash === '' && pathname + search === path;
  return isPlain && !searchParams.has('ticket') && patterns.some((pattern) => pattern.test(pathname));
}

export const downloadsRoutes = (tickets: Tickets): Handlers<typeof api.downloads> => ({
  async ticket({ body }, { caller }) {
    if (!isDownload(body.path)) throw new AppError('BAD_INPUT', 'There is no download at this address.');
    return { url: await tickets.issue(body.path, caller) };
  },
});
