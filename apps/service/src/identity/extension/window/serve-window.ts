import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CHOOSE_PATH,
  ChooseRequest,
  CLOUD_RETURN_PATH,
  type SettingsUpdate,
  SIGN_IN_PATH,
  SignInRequest,
  type Variant,
} from '@kaptain/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Settings } from '../../../base/config/settings.ts';
import { commonHeaders, windowPolicy } from '../../../http/server/headers.ts';
import type { UsedProvider } from '../../oidc/provider.ts';
import { type CloudSignIn, choosePage, cloudReturnPage, refusalPage, signInPage } from './sign-in-page.ts';

const files = {
  'cloud-return.js': 'text/javascript; charset=utf-8',
  'cloud-sign-in.js': 'text/javascript; charset=utf-8',
  'choose.js': 'text/javascript; charset=utf-8',
  'passkey.js': 'text/javascript; charset=utf-8',
  'sign-in.js': 'text/javascript; charset=utf-8',
} as const;

/** The primary colour of each variant, by day and by night. */
const accents: Record<Variant, string> = {
  default: 'light-dark(#1f5fd6, #82b1ff)',
  alternative: 'light-dark(#0b7a4b, #56d19a)',
};

const FOREIGN =
  'The page that opened this window may not use the service. An administrator can add its address to the allowed origins in the settings.';
const INCOMPLETE = 'This window was opened with an incomplete address.';

/** The tenant of the settings, when the service is connected to it and has an OAuth client there. */
function cloudIn({ settings, hosts }: SettingsUpdate): CloudSignIn | undefined {
  const { hostname = '', clientId = '' } = hosts.SAAS ?? {};
  if (settings.qlikHost !== 'SAAS' || clientId === '' || !URL.canParse(`https://${hostname}`))
    return undefined;
  return { tenant: new URL(`https://${hostname}`).origin, clientId };
}

/** Serves the window in which a person signs in for the extension; the form is shown only for allowed origins. */
export function serveWindow(
  app: FastifyInstance,
  settings: Settings,
  provider: () => UsedProvider | undefined,
  variant: Variant,
): void {
  const headers = { ...commonHeaders, 'cache-control': 'no-store', 'content-security-policy': windowPolicy };

  /** A page of the window, for queries of this form. */
  function servePage<S extends z.ZodType<{ origin: string }>>(
    path: string,
    schema: S,
    show: (query: z.output<S>, provider: string | undefined) => string,
  ): void {
    app.get(path, async (request, reply) => {
      reply.headers(headers).type('text/html; charset=utf-8');
      const query = schema.safeParse(request.query);
      if (!query.success) return reply.code(400).send(refusalPage(INCOMPLETE));
      if (!settings.current().corsAllowOrigins.includes(query.data.origin))
        return reply.code(403).send(refusalPage(FOREIGN));
      return reply.send(show(query.data, provider()?.settings.name));
    });
  }
  servePage(SIGN_IN_PATH, SignInRequest, (query, name) =>
    signInPage(query, { provider: name, cloud: cloudIn(settings.whole()) }),
  );
  servePage(CHOOSE_PATH, ChooseRequest, choosePage);
  app.get(CLOUD_RETURN_PATH, async (_, reply) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(cloudReturnPage()),
  );
  app.get('/extension/sign-in.css', async (_, reply) => {
    const rules = await readFile(join(import.meta.dirname, 'sign-in.css'), 'utf8');
    const accent = `:root { --accent: ${accents[variant]} }\n`;
    return reply
      .headers(headers)
      .type('text/css; charset=utf-8')
      .send(accent + rules);
  });
  for (const [name, type] of Object.entries(files))
    app.get(`/extension/${name}`, async (_, reply) =>
      reply
        .headers(headers)
        .type(type)
        .send(await readFile(join(import.meta.dirname, name))),
    );
}
