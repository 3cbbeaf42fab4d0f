import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SIGN_IN_PATH, SignInRequest } from '@kaptain/contract';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../config/settings.ts';
import { commonHeaders, windowPolicy } from '../http/headers.ts';
import type { UsedProvider } from '../security/provider.ts';
import { refusalPage, signInPage } from './sign-in-page.ts';

const files = {
  'sign-in.js': 'text/javascript; charset=utf-8',
  'sign-in.css': 'text/css; charset=utf-8',
} as const;

const FOREIGN =
  'The page that opened this window may not use the service. An administrator can add its address to the allowed origins in the settings.';
const INCOMPLETE = 'This window was opened with an incomplete address.';

/** Serves the window in which a person signs in for the extension; the form is shown only for allowed origins. */
export function serveWindow(
  app: FastifyInstance,
  settings: Settings,
  provider: () => UsedProvider | undefined,
): void {
  const headers = { ...commonHeaders, 'cache-control': 'no-store', 'content-security-policy': windowPolicy };

  app.get(SIGN_IN_PATH, async (request, reply) => {
    reply.headers(headers).type('text/html; charset=utf-8');
    const given = SignInRequest.safeParse(request.query);
    if (!given.success) return reply.code(400).send(refusalPage(INCOMPLETE));
    if (!settings.current().corsAllowOrigins.includes(given.data.origin))
      return reply.code(403).send(refusalPage(FOREIGN));
    return reply.send(signInPage(given.data, provider()?.settings.name));
  });
  for (const [name, type] of Object.entries(files))
    app.get(`/extension/${name}`, async (_, reply) =>
      reply
        .headers(headers)
        .type(type)
        .send(await readFile(join(import.meta.dirname, name))),
    );
}
