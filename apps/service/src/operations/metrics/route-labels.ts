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

function routeOf({ template, status }: Answer): string {
  // The screens of the console have no routes: an address without one gets the page of the console, or an error.
  if (template === undefined) return status === 200 || status === 304 ? CONSOLE : UNKNOWN;
  return templates.has(template) ? template : CONSOLE;
}

/** Labels of a bounded number of values: never a URL, which a caller could vary without end. */
export const labelsOf = (answer: Answer) => ({
  method: methods.has(answer.method) ? answer.method : 'other',
  route: routeOf(answer),
  status: answer.status,
});
