import { type Api, api, type Route } from '@kaptain/contract';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useProofQuestion } from '../shared/identity.ts';
import { refuse } from '../testing/fake-service.ts';
import { isUnproven } from './identity-answers.ts';
import { service } from './service.ts';

const sensitive = Object.entries<Api[string]>(api).flatMap(([noun, routes]) =>
  Object.entries<Route>(routes)
    .filter(([, { proof, errors }]) => proof !== undefined || errors?.includes('PROOF_NEEDED'))
    .map(([name]) => `${noun}.${name}`),
);
const needed = () => refuse('PROOF_NEEDED', 'Please confirm that it is you.', { methods: ['password'] });
const input = { params: { id: 'x' }, body: { name: 'what was entered' }, files: [new File(['x'], 'a.pem')] };

/** Makes a call of the contract with any input; the service answers as told. */
function make(label: string, answers: Response[]) {
  const sent: [input: unknown, init: RequestInit | undefined][] = [];
  vi.stubGlobal('fetch', async (...request: (typeof sent)[number]) => {
    sent.push(request);
    return answers[sent.length - 1] ?? Response.json({});
  });
  const [noun = '', name = ''] = label.split('.');
  const calls = service(api as Api)[noun]?.[name] as unknown as (given: unknown) => Promise<unknown>;
  // Only the requests count: the answer may not fit the contract.
  const ended = calls(input).catch((error: unknown) => error);
  return { sent, ended };
}

afterEach(() => vi.unstubAllGlobals());

test.each(sensitive)('%s asks who the user is, and is sent once more with the same input', async (label) => {
  const { result } = renderHook(() => useProofQuestion());
  const { sent, ended } = make(label, [needed()]);
  await waitFor(() => expect(result.current?.methods).toEqual(['password']));
  expect(sent).toHaveLength(1);
  await act(async () => result.current?.answer(true));
  expect(isUnproven(await ended)).toBe(false);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('a call whose user does not confirm who they are is not sent again, and says so', async () => {
  const { result } = renderHook(() => useProofQuestion());
  const { sent, ended } = make('users.create', [needed()]);
  await waitFor(() => expect(result.current).toBeDefined());
  await act(async () => result.current?.answer(false));
  expect(isUnproven(await ended)).toBe(true);
  expect(sent).toHaveLength(1);
});
