import { type Html, html } from './html.ts';

/** A page that the service renders itself, without the console. */
export const plainPage = (title: string, styleSheet: string, content: Html): string =>
  `<!doctype html>${
    html`<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="stylesheet" href="${styleSheet}">
  </head>
  <body><main><h1>${title}</h1>${content}</main></body>
</html>
`.source
  }`;
