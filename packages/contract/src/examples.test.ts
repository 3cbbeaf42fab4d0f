import { expect, it } from 'vitest';
import { api } from './api.ts';
import { examples } from './examples.ts';
import type { Routes } from './kit/route.ts';

interface Given {
  body?: unknown;
  answer?: unknown;
}
const given = Object.entries(examples).flatMap(([noun, calls]) =>
  Object.entries(calls as Record<string, Given>).map(
    ([name, example]): [string, Routes[string] | undefined, Given] => [
      `${noun}.${name}`,
      ((api as Record<string, Routes>)[noun] ?? {})[name],
      example,
    ],
  ),
);

it.each(given)('the example of %s is what the service takes and answers', (_, route, { body, answer }) => {
  expect(body === undefined || route?.body?.parse(body) !== undefined).toBe(true);
  if (answer === undefined) return;
  expect(route?.answer.kind).toBe('json');
  if (route?.answer.kind === 'json') route.answer.schema.parse(answer);
});

it('every call of the data API with a body has an example', () => {
  const without = Object.entries(api.dataApi as Routes)
    .filter(
      ([name, { body }]) => body && (examples.dataApi as Record<string, Given>)[name]?.body === undefined,
    )
    .map(([name]) => name);
  expect(without).toEqual([]);
});
