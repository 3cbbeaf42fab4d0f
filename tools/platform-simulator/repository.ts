import type { EngineState } from './engine.ts';
import type { RestAnswer, RestRequest } from './rest-answers.ts';

/**
 * The repository's REST calls that this project makes
 * (https://help.qlik.com/en-US/sense-developer/ Repository Service API: About, App, and the Xrfkey protection).
 */
export function answerRepository({ apps }: EngineState, { method, url, headers }: RestRequest): RestAnswer {
  const key = url.searchParams.get('xrfkey');
  if (key?.length !== 16 || headers['x-qlik-xrfkey'] !== key)
    return { status: 400, body: 'XSRF prevention check failed. Possible XSRF discovered.' };
  if (method !== 'GET') return { status: 405 };
  const list = [...apps.values()].map(({ id, name }) => ({ id, name, published: false, schemaPath: 'App' }));
  switch (url.pathname) {
    case '/qrs/about':
      return { status: 200, body: { buildVersion: '0.0 (simulator)', schemaPath: 'About' } };
    case '/qrs/app':
    case '/qrs/app/full':
      return { status: 200, body: list };
    default: {
      const app = list.find(({ id }) => url.pathname === `/qrs/app/${encodeURIComponent(id)}`);
      return app ? { status: 200, body: app } : { status: 404 };
    }
  }
}
