import type { ConsoleConfig } from '@kaptain/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { type ConsoleFile, type Encoding, readConsoleFiles } from './console-files.ts';
import { commonHeaders, consolePolicy, newNonce, pagePolicy } from './headers.ts';

const NONCE = '__CSP_NONCE__';
/** Paths of the API and of files: an unknown one is answered with an error, never with the console's page. */
const forPrograms = /^\/(api|auth|configuration|app|assets|docs|metrics)(\/|$)/;

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Kaptain</title>
<h1>The console is not built yet</h1>
<p>The service is running. Start it with <code>npm start</code>, which builds the console first.</p></html>`;

function encodingFor({ headers }: FastifyRequest): Encoding {
  const accepted = headers['accept-encoding']?.toString() ?? '';
  if (/\bbr\b(?!;\s*q=0(\.0*)?(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!;\s*q=0(\.0*)?(,|$))/.test(accepted) ? 'gzip' : 'identity';
}

async function sendFile(
  file: ConsoleFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = encodingFor(request);
  const identity = await file.body('identity');
  const body = await file.body(encoding);
  if (body !== identity) reply.header('content-encoding', encoding);
  return reply
    .headers(commonHeaders)
    .header('vary', 'Accept-Encoding, Origin')
    .header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    .type(file.type)
    .send(body);
}

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
