import { type Html, html } from '../http/html.ts';
import { type JsonSchema, schemaText } from './schema-text.ts';

type Content = Record<string, { schema: JsonSchema }>;

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  'x-access': string;
  'x-extra'?: boolean;
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface DocsDocument {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

interface Call extends Operation {
  method: string;
  path: string;
}

const words = (name: string): string =>
  name
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())
    .replace(/\bapi\b/i, 'API');

const block = (title: string, content: Content | undefined): Html[] =>
  Object.entries(content ?? {}).map(
    ([type, { schema }]) =>
      html`<h4>${title} <small>${type}</small></h4><pre tabindex="0">${schemaText(schema)}</pre>`,
  );

const parameters = ({ parameters: list }: Call): Html =>
  list.length === 0
    ? html``
    : html`<h4>Parameters</h4><table><thead><tr><th>Name<th>In<th>Value</tr></thead><tbody>${list.map(
        (part) =>
          html`<tr><td><code>${part.name}</code>${part.required ? ' (required)' : ''}<td>${part.in}<td><code>${schemaText(part.schema)}</code></tr>`,
      )}</tbody></table>`;

const isFailure = (status: string): boolean => Number(status) >= 400;

function failures({ responses }: Call): Html {
  const list = Object.entries(responses).filter(([status]) => isFailure(status));
  return html`<h4>Failures</h4><ul>${list.map(([status, { description }]) => html`<li>${status} ${description}</li>`)}</ul>`;
}

const answers = ({ responses }: Call): Html[] =>
  Object.entries(responses)
    .filter(([status]) => !isFailure(status))
    .map(([status, { content }]) =>
      content ? html`${block(`Answer ${status}`, content)}` : html`<h4>Answer ${status}</h4><p>Nothing.</p>`,
    );

const callSection = (call: Call): Html => html`<details id="${call.operationId}">
<summary><b class="${call.method}">${call.method.toUpperCase()}</b> <code>${call.path}</code>
<span>${call.summary}</span></summary>
<p>${call.description}${call['x-extra'] ? ' An extra of this service.' : ''}</p>
${parameters(call)}${block('Body', call.requestBody?.content)}${answers(call)}${failures(call)}
</details>`;

/** The schemas that calls refer to by name. */
const schemaSection = ([name, schema]: [string, JsonSchema]): Html => html`<details id="schema.${name}">
<summary><code>${name}</code></summary><pre tabindex="0">${schemaText(schema)}</pre></details>`;

/** All calls as one HTML page, rendered by the service: the browser runs no script for it. */
export function docsPage(document: DocsDocument): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ ...operation, method, path })),
  );
  const byNoun = Object.entries(Object.groupBy(calls, (call) => call.tags[0] ?? ''));
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kaptain: the calls</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="/docs/style.css"></head>
<body><header><h1>Kaptain <small>${document.info.version}</small></h1>
<p>Every call of the service, by noun. Protected calls carry <code>Authorization: Bearer …</code> with the
<code>accessToken</code> of the login; those of the data API take an API key in <code>x-api-key</code> too. For programs: <a href="/docs/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Nouns"><ul>${byNoun.map(([noun]) => html`<li><a href="#${noun}">${words(noun)}</a></li>`)}<li><a href="#schemas">Schemas</a></li></ul></nav>
<main>${byNoun.map(
    ([noun, list = []]) =>
      html`<section aria-labelledby="${noun}"><h2 id="${noun}">${words(noun)}</h2>${list.map(callSection)}</section>`,
  )}<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${Object.entries(document.components.schemas).map(schemaSection)}</section></main></body></html>`
    .source;
}
