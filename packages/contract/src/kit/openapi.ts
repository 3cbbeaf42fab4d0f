import { z } from 'zod';
import { ErrorAnswer, type ErrorCode, errorCodes } from '../errors.ts';
import { type Api, accessLevels, type Route } from './route.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
};

function parametersOf(route: Route): Json[] {
  const parameters = (schema: z.ZodObject | undefined, place: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
      name,
      in: place,
      required: place === 'path' || !z.safeParse(part as z.ZodType, undefined).success,
      schema: schemaOf(part as z.ZodType, 'input'),
    }));
  return [...parameters(route.params, 'path'), ...parameters(route.query, 'query')];
}

function bodyOf(route: Route): Json | undefined {
  if (route.body)
    return { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } };
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

function answerOf({ answer }: Route): [status: string, Json] {
  switch (answer.kind) {
    case 'json':
      return [
        '200',
        {
          description: 'Done.',
          content: { 'application/json': { schema: schemaOf(answer.schema, 'input') } },
        },
      ];
    case 'text':
      return ['200', { description: 'Text.', content: { 'text/plain': { schema: { type: 'string' } } } }];
    case 'download':
      return [
        '200',
        { description: 'A file.', content: { [answer.contentType]: { schema: { type: 'string' } } } },
      ];
    case 'nothing':
      return ['204', { description: 'Done.' }];
  }
}

/** The error codes of a call: those that its definition implies, and those it declares. */
function codesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['INTERNAL', 'UNAVAILABLE', ...(route.errors ?? [])];
  if (route.access !== 'everyone') codes.push('NOT_LOGGED_IN');
  if (!['everyone', 'loggedIn', 'dataApi'].includes(route.access)) codes.push('FORBIDDEN');
  if (route.params) codes.push('NOT_FOUND');
  if (route.params || route.query || route.body || route.files) codes.push('BAD_INPUT');
  if (route.body || route.files) codes.push('TOO_LARGE', 'WRONG_TYPE');
  return [...new Set(codes)].sort((a, b) => errorCodes[a][0] - errorCodes[b][0] || a.localeCompare(b));
}

function failuresOf(route: Route): Json {
  const byStatus = Object.groupBy(codesOf(route), (code) => String(errorCodes[code][0]));
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes = []]) => [
      status,
      {
        description: codes.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function operation(noun: string, name: string, route: Route): Json {
  const body = bodyOf(route);
  const [status, answer] = answerOf(route);
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: route.summary,
    description: accessLevels[route.access],
    'x-access': route.access,
    ...(route.extra ? { 'x-extra': true } : {}),
    security: route.access === 'everyone' ? [] : [{ bearer: [] }],
    parameters: parametersOf(route),
    ...(body ? { requestBody: body } : {}),
    responses: { [status]: answer, ...failuresOf(route) },
  };
}

/** The OpenAPI 3.1 document of any set of routes. */
export function openApiDocument(api: Api, info: { version: string }): Json {
  const paths: Record<string, Json> = {};
  for (const [noun, routes] of Object.entries(api))
    for (const [name, route] of Object.entries(routes)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      (paths[path] ??= {})[route.method.toLowerCase()] = operation(noun, name, route);
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Kaptain', version: info.version },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorAnswer, 'output') },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
