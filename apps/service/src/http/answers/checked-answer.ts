import { isDeepStrictEqual } from 'node:util';
import type { Route } from '@kaptain/contract';
import { JsonStream } from '../downloads/downloads.ts';

/** Fields of stored records that no answer may contain, even where its schema allows further fields. */
const internal = /"(passwordHash|tokenHash|keyHash|ticketHash|nameKey|isFirstAdmin)":/;

/** Throws when an answer is not exactly what the contract declares: a property too many may be a secret. */
function checkValue({ answer, path }: Route, value: unknown): void {
  if (answer.kind !== 'json') return;
  const text = JSON.stringify(value);
  if (internal.test(text)) throw new Error(`The answer of ${path} shows an internal field: ${text}`);
  const sent: unknown = JSON.parse(text);
  const declared: unknown = JSON.parse(JSON.stringify(answer.schema.parse(sent)));
  if (!isDeepStrictEqual(sent, declared))
    throw new Error(
      `The answer of ${path} is not what the contract says: ${JSON.stringify({ sent, declared })}`,
    );
}

/** Copies each chunk before it is sent, and checks the whole text after the last one. */
async function* checkedChunks(route: Route, { answer: { chunks } }: JsonStream) {
  const sent: Buffer[] = [];
  for await (const chunk of chunks) {
    sent.push(Buffer.from(chunk as Uint8Array));
    yield chunk;
  }
  checkValue(route, JSON.parse(Buffer.concat(sent).toString()));
}

/**
 * Returns the answer if it is what the contract declares; a stream fails after its last chunk if it is not. Only tests
 * call it: it would more than double the work for the list of 200 kapsules.
 */
export function checkedAnswer(route: Route, value: unknown): unknown {
  if (value instanceof JsonStream)
    return new JsonStream({ ...value.answer, chunks: checkedChunks(route, value) });
  checkValue(route, value);
  return value;
}
