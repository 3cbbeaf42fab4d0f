import { expect, test, vi } from 'vitest';
import { type Answers, fakeService, refuse } from '../testing/fake-service.ts';
import { addressOf } from './downloads.ts';

const path = '/api/kapsule/export/kapsule?kapsuleId=k1';
type Ticket = NonNullable<NonNullable<Answers['downloads']>['ticket']>;
const serve = (ticket: Ticket) => {
  const service = fakeService({ downloads: { ticket } });
  vi.stubGlobal('fetch', service.fetch);
  return service;
};

test('a download has an address with a ticket for exactly that path', async () => {
  const service = serve(() => ({ url: `${path}&ticket=t` }));
  expect(await addressOf(path)).toBe(`${path}&ticket=t`);
  expect(service.callsOf('downloads.ticket')[0]?.body).toEqual({ path });
});

test('a service without tickets is asked at the plain address', async () => {
  serve(() => refuse('NOT_FOUND', 'There is nothing at this address.'));
  expect(await addressOf(path)).toBe(path);
});

test('a refused ticket is a failure with the reason', async () => {
  serve(() => refuse('TOO_MANY_REQUESTS', 'Too many downloads at once.'));
  await expect(addressOf(path)).rejects.toThrow('Too many downloads at once.');
});
