import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bundleExtension } from '../extension/bundle-extension.ts';
import { root } from '../setup/project.mjs';

/** The default set-up of the page; its query may replace any part. */
interface SheetConfig {
  /** The websocket of the simulated engine. */
  engine: string;
  app: string;
  /** The definition of the hypercube. */
  cube: object;
  /** The fields of the kapsule, as the property panel stores them. */
  fields: readonly object[];
  service?: string;
  kapsule?: string;
}

/** The releases of stardust in which the extension is proven; a page chooses one by `stardust` in its query. */
const releases = ['3', '5', '7'];

interface Sheet {
  /** The HTML above the table. */
  intro?: () => string;
  config: () => SheetConfig | Promise<SheetConfig>;
  port?: number;
  /** Rendered by the platform's own runtime, and else by hooks like those of its runtime, which need no package. */
  isRealRuntime?: boolean;
}

export interface RunningSheet {
  origin: string;
  stop(): Promise<void>;
}

/** Stricter than the platform's: neither inline styles nor scripts, nor eval. */
const policyWith = (styles: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' ${styles}; connect-src 'self' http://localhost:* http://127.0.0.1:* https://localhost:* ws://localhost:* ws://127.0.0.1:*; frame-ancestors 'none'`;

/** The hash of an empty style element: stardust fills its own by rules. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

const pageOf = (
  intro: string,
  scripts: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sheet</title>
<link rel="stylesheet" href="/sheet.css">${scripts}</head>
<body>${intro}<main id="object"></main></body></html>`;

type File = [type: string, text: () => string | Promise<string>];

const scripts = {
  own: '<script type="module" src="/host.js"></script>',
  real: '<script src="/require.js"></script><script type="module" src="/stardust-host.js"></script>',
};

/** The platform's runtime and the loader with which the platform loads it. */
const runtime: Record<string, File> = Object.fromEntries(
  [
    ['require', 'requirejs/require.js'],
    ...releases.map((release) => [`stardust-${release}`, `stardust-${release}/dist/stardust.js`]),
  ].map(([name, path = '']) => [
    `/${name}.js`,
    ['text/javascript', () => readFile(join(root, 'node_modules', path), 'utf8')],
  ]),
);

/** Serves a page with the built extension on the data of the simulated engine, on an origin that is not the service's. */
export async function startSheet({
  intro = () => '',
  config,
  port = 0,
  isRealRuntime = false,
}: Sheet): Promise<RunningSheet> {
  const code = await bundleExtension(root);
  const own = (name: string) => () => readFile(join(import.meta.dirname, name), 'utf8');
  const files: Record<string, File> = {
    '/': ['text/html', () => pageOf(intro(), isRealRuntime ? scripts.real : scripts.own)],
    '/sheet.css': ['text/css', own('sheet.css')],
    ...(isRealRuntime && runtime),
    '/stardust-host.js': ['text/javascript', own('stardust-host.js')],
    '/host.js': ['text/javascript', own('host.js')],
    '/engine-table.js': ['text/javascript', own('engine-table.js')],
    '/extension.js': ['text/javascript', () => code],
    '/config.json': ['application/json', async () => JSON.stringify(await config())],
  };
  const server = createServer((request, response) => {
    const answer = async () => {
      const [type, text] = files[new URL(request.url ?? '/', 'http://page').pathname] ?? [];
      const content = await text?.();
      response.writeHead(type ? 200 : 404, {
        'content-type': `${type ?? 'text/plain'}; charset=utf-8`,
        'content-security-policy': policyWith(isRealRuntime ? EMPTY_STYLE : ''),
      });
      response.end(content);
    };
    answer().catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // The browser may keep a connection open on which it has asked for nothing yet.
        server.closeAllConnections();
      }),
  };
}
