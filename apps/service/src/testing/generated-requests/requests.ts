import * as fc from 'fast-check';
import type { ValidRequest } from '../access-matrix/requests.ts';
import type { ActorInWorld } from '../access-matrix/world.ts';
import { multipart } from '../multipart.ts';
import { contentOf, type NamedOperation } from './operations.ts';
import { anything, valuesOf } from './values.ts';

export interface Request {
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

export interface Things {
  ids: readonly string[];
  /** A file that the call accepts. */
  file: ValidRequest['file'];
}

const encoded = (value: unknown): string =>
  encodeURIComponent(String(value).toWellFormed()).replaceAll('.', '%2E');

function path({ path: template, parameters }: NamedOperation, values: Record<string, unknown>): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encoded(values[name]));
  const query = parameters
    .filter(({ name, in: location }) => location === 'query' && values[name] !== undefined)
    .map(({ name }) => `${name}=${encoded(values[name])}`);
  return query.length > 0 ? `${filled}?${query.join('&')}` : filled;
}

/** The inputs that the document allows for an operation. */
function inputs(operation: NamedOperation, { ids }: Things) {
  const body = contentOf(operation, 'application/json');
  const parts = operation.parameters.map(({ name, schema }) => [name, valuesOf(schema, ids, name)] as const);
  const requiredKeys = operation.parameters.filter(({ required }) => required).map(({ name }) => name);
  return fc.record({
    values: fc.record(Object.fromEntries(parts), { requiredKeys }),
    body: body ? valuesOf(body, ids) : fc.constant(undefined),
  });
}

const uploadOf = (file: NonNullable<ValidRequest['file']>) =>
  multipart([{ ...file, content: Buffer.from(file.content, 'latin1') }]);

interface Subject {
  actor: ActorInWorld;
  id: string;
  granuleId: string;
}

/** A valid request for the operation, if its caller may make it. */
export function exampleRequest(
  operation: NamedOperation,
  { params = () => [], query, body, file }: ValidRequest,
  { actor, id, granuleId }: Subject,
): Request {
  const values = params(id, granuleId);
  const filled = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? ''));
  const address = query ? `${filled}?${query(id)}` : filled;
  if (file) return { path: address, ...uploadOf(file) };
  return { path: address, headers: {}, ...(body && { body: body(id, actor, granuleId) }) };
}

function request(
  operation: NamedOperation,
  { file }: Things,
  { values, body }: { values: Record<string, unknown>; body: unknown },
): Request {
  const isUpload = contentOf(operation, 'multipart/form-data') !== undefined;
  const ifMatch = values['If-Match'];
  const headers = typeof ifMatch === 'string' ? { 'if-match': encoded(ifMatch) } : {};
  const address = path(operation, values);
  if (!isUpload || !file) return { path: address, headers, ...(body !== undefined && { body }) };
  const upload = uploadOf(file);
  return { path: address, headers: { ...headers, ...upload.headers }, body: upload.body };
}

/** Replaces one value by another. */
function spoil<T>(value: T, odd: unknown, index: number): T {
  if (typeof value !== 'object' || value === null) return odd as T;
  const keys = Object.keys(value);
  const key = keys[index % Math.max(1, keys.length)];
  return key === undefined ? value : { ...value, [key]: odd };
}

/** Requests that the document allows. */
export const validRequests = (operation: NamedOperation, things: Things): fc.Arbitrary<Request> =>
  inputs(operation, things).map((input) => request(operation, things, input));

/** The same with one value replaced by an arbitrary one. */
export const spoiledRequests = (operation: NamedOperation, things: Things): fc.Arbitrary<Request> =>
  fc
    .tuple(inputs(operation, things), anything, fc.nat(20), fc.boolean())
    .map(([{ values, body }, odd, index, isBody]) =>
      request(
        operation,
        things,
        isBody && body !== undefined
          ? { values, body: spoil(body, odd, index) }
          : { values: spoil(values, odd, index), body },
      ),
    );

const manyBytes = Buffer.from(`{"x":"${'x'.repeat(25 * 1024 * 1024)}"}`);
const json = { 'content-type': 'application/json' };

/** Faults of a request apart from its values. */
export const faults: Record<string, (request: Request) => Request> = {
  'no JSON': (request) => ({ ...request, body: '{"x":', headers: json }),
  'another content type': (request) => ({ ...request, body: 'x', headers: { 'content-type': 'text/plain' } }),
  'no multipart': (request) => ({
    ...request,
    body: 'x',
    headers: { 'content-type': 'multipart/form-data; boundary=y' },
  }),
  'too large': (request) => ({ ...request, body: manyBytes, headers: json }),
  'a foreign origin': (request) => ({
    ...request,
    headers: { ...request.headers, origin: 'https://evil.example' },
  }),
  'another version': (request) => ({ ...request, headers: { ...request.headers, 'if-match': '"999999"' } }),
  'a link opened in a browser': (request) => ({
    ...request,
    headers: { ...request.headers, accept: 'text/html', authorization: '' },
  }),
  'a prefetch': (request) => ({
    ...request,
    headers: { ...request.headers, 'sec-purpose': 'prefetch', authorization: '' },
  }),
  'no host': (request) => ({ ...request, headers: { ...request.headers, host: '' } }),
  'a long part of the address': (request) => ({
    ...request,
    path: request.path.replace(/[0-9a-f]{24}/, 'x'.repeat(300)),
  }),
  'an address that can not be decoded': (request) => ({
    ...request,
    path: request.path.replace(/[0-9a-f]{24}/, '%E0%A4%A'),
  }),
};
