import type { z } from 'zod';

/** The other side answered with something this call can't mean. */
export class UnexpectedAnswerError extends Error {
  override name = 'UnexpectedAnswerError';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The same value as other implementations of the calls may wrap it (SPEC 7 leaves many shapes open). */
function* readings(value: unknown): Generator {
  yield value;
  if (isObject(value) && 'data' in value) {
    yield value.data;
    if (isObject(value.data) && 'data' in value.data) yield value.data.data;
  }
  yield { data: value };
}

/** Takes a JSON answer bare or wrapped in `{data}`: the one place that knows about foreign shapes. */
export function decodeJson<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  for (const reading of readings(value)) {
    const parsed = schema.safeParse(reading);
    if (parsed.success) return parsed.data;
  }
  throw new UnexpectedAnswerError('The service answered in a form the console does not know.');
}

/** Takes text as text/plain, as a JSON string, or as a JSON string wrapped in `{data}`. */
export function decodeText(body: string, contentType: string): string {
  if (!contentType.includes('json')) return body;
  for (const reading of readings(JSON.parse(body))) if (typeof reading === 'string') return reading;
  throw new UnexpectedAnswerError('The service answered in a form the console does not know.');
}

/** The sentence for a person in an error answer of any shape. */
export function decodeMessage(value: unknown): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(', ') : undefined;
  if (!isObject(value)) return undefined;
  return decodeMessage(value.message) ?? decodeMessage(value.error) ?? decodeMessage(value.data);
}
