import { html } from '../pages/html.ts';

/** No call leaves this service: no fonts, telemetry, assistants or editors of other hosts. Credentials are not kept. */
const configuration = {
  url: '/docs/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'bearer' },
};

interface PageOptions {
  /** Of this answer; the styles of the page carry it. */
  nonce: string;
  /** Of the script. */
  hash: string;
  /** The address of the service, for code samples. */
  origin: string;
}

/** The page of the API reference: it has no script of its own. */
export const referencePage = ({ nonce, hash, origin }: PageOptions): string =>
  html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<title>Kaptain: the calls</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/docs/docs.css"></head>
<body><noscript>This page needs JavaScript. For programs: <a href="/docs/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-configuration="${JSON.stringify({ ...configuration, baseServerURL: origin })}"></script>
<script src="/docs/strict-policy.js"></script><script src="/docs/reference.js?${hash}"></script></body></html>`
    .source;
