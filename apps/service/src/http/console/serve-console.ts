import type { ConsoleConfig } from '@kaptain/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../base/errors/app-error.ts';
import { commonHeaders, consolePolicy, newNonce, pagePolicy } from '../server/headers.ts';
import { sendFile } from '../server/memory-file.ts';
import { readConsoleFiles } from './read-console-files.ts';

const NONCE = '__CSP_NONCE__';
/** Paths of the API and of files: an unknown one is answered with an error, never with the console's page. */
const forPrograms = /^\/(api|auth|configuration|app|assets|docs|metrics)(\/|$)/;

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Kaptain</title>
<h1>The console is not built yet</h1>
<p>The service is running. Start it with <code>npm start</code>, which builds the console first.</p></html>`;

/** Serves the built console: its files, its configuration, and its page on every path that may be a screen. */
export function serveConsole(app: FastifyInstance, folder: string, config: ConsoleConfig): void {
  const { indexHtml, files } = readConsoleFiles(folder);

  const sendPage = (reply: FastifyReply): FastifyReply => {
    reply.headers(commonHeaders).header('cache-control', 'no-cache').type('text/html; charset=utf-8');
    if (indexHtml === undefined) {
      reply.header('content-security-policy', pagePolicy);
      return reply.code(503).header('retry-after', '10').send(notBuilt);
    }
    const nonce = newNonce();
    reply.header('content-security-policy', consolePolicy(nonce, config.serviceUrl));
    return reply.send(indexHtml.replaceAll(NONCE, nonce));
  };

  app.get('/config.json', async (_, reply) => reply.type('application/json; charset=utf-8').send(config));
  for (const [path, file] of files) app.get(path, (request, reply) => sendFile(file, request, reply));
  app.get('/', async (_, reply) => sendPage(reply));
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const wantsPage = request.headers.accept?.includes('text/html') === true;
    if (wantsPage && !forPrograms.test(path)) return sendPage(reply);
    throw new AppError('NOT_FOUND');
  });
}
