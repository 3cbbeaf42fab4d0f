import type { z } from 'zod';

/** The other side answered with something this call can't mean. */
export class UnexpectedAnswerError extends Error {
  override name = 'UnexpectedAnswerError';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const unexpected = () =>
  new UnexpectedAnswerError('The service answered in a form the console does not know.');

/** The same value as other implementations of the calls may wrap it (SPEC 7 leaves many shapes open). */
function* readings(value: unknown): Generator {
  yield value;
  if (!isObject(value) || !('data' in value)) return;
  yield value.data;
  if (isObject(value.data) && 'data' in value.data) yield value.data.data;
}

/** The name of the only field of an object: others may answer with the field's value alone. */
function onlyField(schema: z.ZodType): string | undefined {
  const [name, ...more] = Object.keys((schema as Partial<z.ZodObject>).shape ?? {});
  return more.length === 0 ? name : undefined;
}

/** One result line each, as SPEC 7 puts it: others may answer with the lines alone, as a list or as one text. */
function asLines(value: unknown): { message: string }[] | undefined {
  const lines: unknown =
    typeof value === 'string' ? value.split(/\r?\n/).filter((line) => line !== '') : value;
  if (!Array.isArray(lines) || lines.length === 0 || !lines.every((line) => typeof line === 'string'))
    return undefined;
  return lines.map((message) => ({ message }));
}

/** Takes a JSON answer bare or wrapped in `{data}`: the one place that knows about foreign shapes. */
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

/** The value of a body: JSON, or the text itself where a service sends plain text. A web page is no answer. */
export function valueOf(body: string, contentType: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    if (body === '' || !contentType.startsWith('text/plain')) throw unexpected();
    return body;
  }
}

/** Takes text as text/plain, as a JSON string, or as a JSON string wrapped in `{data}`. */
export function decodeText(body: string, contentType: string): string {
  if (!contentType.includes('json')) return body;
  for (const reading of readings(valueOf(body, contentType))) if (typeof reading === 'string') return reading;
  throw unexpected();
}

/** The sentence for a person in an error answer of any shape. */
export function decodeMessage(value: unknown): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(', ') : undefined;
  if (!isObject(value)) return undefined;
  return decodeMessage(value.message) ?? decodeMessage(value.error) ?? decodeMessage(value.data);
}
