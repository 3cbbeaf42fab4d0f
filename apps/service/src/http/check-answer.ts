import { isDeepStrictEqual } from 'node:util';
import type { Route } from '@kaptain/contract';

/** Fields of stored records that no caller may ever see, also where the contract lets more through than it names. */
const internal = /"(passwordHash|tokenHash|keyHash|ticketHash|nameKey|isFirstAdmin)":/;

/**
 * Fails when an answer is not exactly what the contract says; a property too much may be a secret.
 * Only tests pay for it: on the list of 200 kapsules it would more than double the work of the answer.
 */
export function checkAnswer({ answer, path }: Route, value: unknown): void {
  if (answer.kind !== 'json') return;
  const text = JSON.stringify(value);
  if (internal.test(text)) throw new Error(`The answer of ${path} shows an internal field: ${text}`);
  const sent: unknown = JSON.parse(text);
  const known: unknown = JSON.parse(JSON.stringify(answer.schema.parse(sent)));
  if (!isDeepStrictEqual(sent, known))
    throw new Error(
      `The answer of ${path} is not what the contract says: ${JSON.stringify({ sent, known })}`,
    );
}
