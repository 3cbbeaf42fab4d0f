import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  method: string;
  parts: string[];
}

const partsOf = (path: string): string[] => path.split('/').slice(1);

const matches = (route: KnownRoute, parts: string[]): boolean =>
  route.parts.length === parts.length &&
  route.parts.every((part, index) => part === parts[index] || (part.startsWith(':') && parts[index] !== ''));

/** Records every route as it is registered; returns the methods that a URL has. */
export function allowedMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) routes.push({ method: name, parts: partsOf(url) });
  });
  return (url) => {
    const parts = partsOf(url.split('?')[0] ?? '');
    return [...new Set(routes.filter((route) => matches(route, parts)).map((route) => route.method))];
  };
}
