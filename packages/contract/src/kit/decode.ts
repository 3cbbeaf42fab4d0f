import type { z } from 'zod';

/** The response has a shape that this call does not accept. */
export class UnexpectedAnswerError extends Error {
  override name = 'UnexpectedAnswerError';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const unexpected = () =>
  new UnexpectedAnswerError('The service answered in a form the console does not know.');

/** The value and what it wraps: other implementations may wrap it, because SPEC 7 leaves shapes open. */
function* readings(value: unknown): Generator {
  yield value;
  if (!isObject(value) || !('data' in value)) return;
  yield value.data;
  if (isObject(value.data) && 'data' in value.data) yield value.data.data;
}

/** The only field of an object schema: other services may answer with its value alone. */
function onlyField(schema: z.ZodType): string | undefined {
  const [name, ...more] = Object.keys((schema as Partial<z.ZodObject>).shape ?? {});
  return more.length === 0 ? name : undefined;
}

/** Decodes results of SPEC 7 that are only lines: a list, or one text. */
function asLines(value: unknown): { message: string }[] | undefined {
  const lines: unknown =
    typeof value === 'string' ? value.split(/\r?\n/).filter((line) => line !== '') : value;
  if (!Array.isArray(lines) || lines.length === 0 || !lines.every((line) => typeof line === 'string'))
    return undefined;
  return lines.map((message) => ({ message }));
}

/** Decodes a JSON answer, bare or wrapped in `{data}`; only this file handles shapes of other services. */
export function decodeJson<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const field = onlyField(schema);
  for (const reading of readings(value))
    for (const candidate of [
      reading,
      ...(field === undefined ? [] : [{ [field]: reading }]),
      asLines(reading),
    ]) {
      const parsed = schema.safeParse(candidate);
      if (parsed.success) return parsed.data;
    }
  throw unexpected();
}

/** The value of a body: JSON, or plain text; a web page is refused. */
export function valueOf(body: string, contentType: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    if (body === '' || !contentType.startsWith('text/plain')) throw unexpected();
    return body;
  }
}

/** Decodes text from text/plain, a JSON string, or a JSON string wrapped in `{data}`. */
export function decodeText(body: string, contentType: string): string {
  if (!contentType.includes('json')) return body;
  for (const reading of readings(valueOf(body, contentType))) if (typeof reading === 'string') return reading;
  throw unexpected();
}

/** The message of an error response of any shape. */
export function decodeMessage(value: unknown): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(', ') : undefined;
  if (!isObject(value)) return undefined;
  return decodeMessage(value.message) ?? decodeMessage(value.error) ?? decodeMessage(value.data);
}
