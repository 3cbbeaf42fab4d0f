import { z } from 'zod';
import { examples } from '../examples.ts';
import { type ErrorCode, errorCodes } from '../rules/errors.ts';
import { schemas as named } from '../schemas.ts';
import { codesOf } from './error-codes.ts';
import { type Json, JsonSchemas } from './json-schemas.ts';
import { type Access, type Api, accessLevels, type Route } from './route.ts';

function parametersOf(route: Route, schemas: JsonSchemas): Json[] {
  const parameters = (schema: z.ZodObject | undefined, location: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
      name,
      in: location,
      required: location === 'path' || !z.safeParse(part as z.ZodType, undefined).success,
      schema: schemas.of(part as z.ZodType),
    }));
  const ifMatch = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The version that the change is meant for, in quotes; another one answers 412.',
    schema: { type: 'string' },
  };
  return [
    ...parameters(route.params, 'path'),
    ...parameters(route.query, 'query'),
    ...(route.ifMatch ? [ifMatch] : []),
  ];
}

interface Example {
  body?: unknown;
  answer?: unknown;
}

const exampleOf = (noun: string, name: string): Example =>
  (examples as Record<string, Record<string, Example>>)[noun]?.[name] ?? {};

const withExample = (schema: Json, example: unknown): Json => ({
  schema,
  ...(example !== undefined && { example }),
});

function bodyOf(route: Route, schemas: JsonSchemas, example: Example): Json | undefined {
  if (route.body)
    return {
      required: true,
      content: { 'application/json': withExample(schemas.of(route.body), example.body) },
    };
  if (!route.files) return undefined;
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const field = route.files.many
    ? {
        type: 'array',
        items: file,
        maxItems: route.files.maxFiles,
        description: route.files.endings.join(', '),
      }
    : { ...file, description: route.files.endings.join(', ') };
  const schema = {
    type: 'object',
    properties: { [route.files.field]: field },
    required: [route.files.field],
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

const text = { schema: { type: 'string' } };
const bytes = { schema: {} };

/** Files have no schema: their content type says what they are. */
const filesOf = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, type.startsWith('text/') ? text : bytes]));

function answerOf({ answer }: Route, schemas: JsonSchemas, example: Example): [status: string, Json] {
  switch (answer.kind) {
    case 'json':
      return [
        '200',
        {
          description: 'Done.',
          content: { 'application/json': withExample(schemas.of(answer.schema), example.answer) },
        },
      ];
    case 'text':
      return ['200', { description: 'Text.', content: { 'text/plain': text } }];
    case 'download': {
      const types = [answer.contentType, ...(answer.otherTypes ?? [])].map(
        (type) => type.split(';')[0] ?? type,
      );
      return ['200', { description: 'A file.', content: filesOf(types) }];
    }
    case 'nothing':
      return ['204', { description: 'Done.' }];
  }
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' } },
};
const waiting: readonly ErrorCode[] = ['TOO_MANY_REQUESTS', 'UNAVAILABLE'];

function failuresOf(route: Route, schemas: JsonSchemas): Json {
  const error = { 'application/json': { schema: schemas.of(named.Error) } };
  // A browser that opens a download by an expired link gets a page.
  const page = { 'text/html': text };
  const byStatus = Object.groupBy(codesOf(route), (code) => String(errorCodes[code][0]));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.join(', '),
        ...(codes.some((code) => waiting.includes(code)) && { headers: retryAfter }),
        content: { ...error, ...(status === '401' && route.answer.kind === 'download' && page) },
      },
    ]),
  );
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The accessToken of the login, or an API key.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'For the data API, the list of kapsules, and deleting granules.',
  },
  ticket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'For one download by browser navigation; POST /api/download/ticket gives it.',
  },
} as const;

/** Any one of these is enough. */
function securityOf(access: Access, { answer }: Route): Json[] {
  if (access === 'everyone') return [];
  const schemes: (keyof typeof securitySchemes)[] = ['bearer'];
  if (access === 'dataApi' || access === 'loggedInOrKey') schemes.push('apiKey');
  if (answer.kind === 'download') schemes.push('ticket');
  return schemes.map((scheme) => ({ [scheme]: [] }));
}

function operation(noun: string, name: string, route: Route, schemas: JsonSchemas): Json {
  const example = exampleOf(noun, name);
  const body = bodyOf(route, schemas, example);
  const [status, answer] = answerOf(route, schemas, example);
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: route.summary,
    description: accessLevels[route.access],
    'x-access': route.access,
    ...(route.extra ? { 'x-extra': true } : {}),
    security: securityOf(route.access, route),
    parameters: parametersOf(route, schemas),
    ...(body ? { requestBody: body } : {}),
    responses: { [status]: answer, ...failuresOf(route, schemas) },
  };
}

/** `dataApi` as people read it: `Data API`. */
const titleOf = (noun: string): string =>
  noun
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase())
    .replace(/\bapi\b/i, 'API');

const description = `Every call of the service. A call that needs a login takes \`Authorization: Bearer …\` with the
\`accessToken\` of \`POST /auth/login\`. Calls of the data API, the list of kapsules and the deletion of granules take an
API key in \`x-api-key\` too. Every failure has the shape
of \`Error\`; its \`code\` never changes.`;

/** The OpenAPI 3.1 document of any set of routes. */
export function openApiDocument(api: Api, info: { version: string }): Json {
  const schemas = new JsonSchemas(named);
  const paths: Record<string, Json> = {};
  for (const [noun, routes] of Object.entries(api))
    for (const [name, route] of Object.entries(routes)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      (paths[path] ??= {})[route.method.toLowerCase()] = operation(noun, name, route, schemas);
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Kaptain', version: info.version, description },
    servers: [{ url: '/', description: 'The service that shows this page' }],
    tags: Object.keys(api).map((noun) => ({ name: noun, 'x-displayName': titleOf(noun) })),
    paths,
    components: { schemas: schemas.sorted(), securitySchemes },
  };
}
