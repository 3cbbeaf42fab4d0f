import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@kaptain/contract';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../server/call-of.ts';
import { commonHeaders, newNonce, referencePolicy } from '../server/headers.ts';
import { memoryFile, sendFile } from '../server/memory-file.ts';
import { referencePage } from './reference-page.ts';

/** Made on the first request, so that the start of the service does not wait for it. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

const ownFile = (name: string) =>
  once(async () => memoryFile(name, await readFile(join(import.meta.dirname, name)), false));

/** Serves the API reference at /docs and the OpenAPI document at /docs/openapi.json. */
export function serveDocs(app: FastifyInstance, version: string): void {
  const openApi = once(async () => {
    const { openApiDocument } = await import('@kaptain/contract/openapi');
    return memoryFile('openapi.json', Buffer.from(JSON.stringify(openApiDocument(api, { version }))), false);
  });
  const script = once(async () => (await import('./reference-script.ts')).referenceScript());

  app.get('/docs', async (request, reply) => {
    const nonce = newNonce();
    const { hash } = await script();
    return reply
      .headers({ ...commonHeaders, 'cache-control': 'no-cache' })
      .header('content-security-policy', referencePolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(referencePage({ nonce, hash, origin: originOf(request) }));
  });
  app.get('/docs/reference.js', async (request, reply) => sendFile((await script()).file, request, reply));
  app.get('/docs/openapi.json', async (request, reply) => sendFile(await openApi(), request, reply));
  for (const name of ['strict-policy.js', 'docs.css']) {
    const file = ownFile(name);
    app.get(`/docs/${name}`, async (request, reply) => sendFile(await file(), request, reply));
  }
}
