import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@kaptain/contract';
import type { FastifyInstance } from 'fastify';
import { commonHeaders, pagePolicy } from '../http/headers.ts';
import type { DocsDocument } from './docs-page.ts';

/** Made on the first request, so that the start of the service does not wait for it. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

/** Serves the documentation at /docs and the OpenAPI document at /docs/openapi.json. */
export function serveDocs(app: FastifyInstance, version: string): void {
  const openApi = once(async () => {
    const { openApiDocument } = await import('@kaptain/contract/openapi');
    return openApiDocument(api, { version });
  });
  const page = once(async () => {
    const { docsPage } = await import('./docs-page.ts');
    return docsPage((await openApi()) as unknown as DocsDocument);
  });
  const style = once(() => readFile(join(import.meta.dirname, 'docs.css'), 'utf8'));
  const headers = { ...commonHeaders, 'cache-control': 'no-cache', 'content-security-policy': pagePolicy };

  app.get('/docs', async (_, reply) =>
    reply
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(await page()),
  );
  app.get('/docs/style.css', async (_, reply) =>
    reply
      .headers(headers)
      .type('text/css; charset=utf-8')
      .send(await style()),
  );
  app.get('/docs/openapi.json', async (_, reply) =>
    reply
      .headers(headers)
      .type('application/json; charset=utf-8')
      .send(await openApi()),
  );
}
