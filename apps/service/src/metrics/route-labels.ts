import { api, type Route } from '@kaptain/contract';

/** A request that was answered; `template` is the route that it matched, with names instead of values. */
export interface Answer {
  method: string;
  template: string | undefined;
  status: number;
}

/** The only values of the label `route` beside the templates of the contract: for other routes, and for none. */
const CONSOLE = 'console';
const UNKNOWN = 'unknown';
export const METRICS_PATH = '/metrics';

const templates = new Set([
  METRICS_PATH,
  ...Object.values(api).flatMap((routes) => Object.values<Route>(routes).map(({ path }) => path)),
]);
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function routeOf(template: string | undefined): string {
  if (template === undefined) return UNKNOWN;
  return templates.has(template) ? template : CONSOLE;
}

/** Labels of a bounded number of values: never a URL, which a caller could vary without end. */
export const labelsOf = ({ method, template, status }: Answer) => ({
  method: methods.has(method) ? method : 'other',
  route: routeOf(template),
  status,
});
