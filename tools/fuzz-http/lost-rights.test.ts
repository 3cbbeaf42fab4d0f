import { expect, it } from 'vitest';
import { addKapsule, grant } from '../../apps/service/src/testing/kapsules.ts';
import { listenLocally } from '../../apps/service/src/testing/raw-socket.ts';
import { testApp } from '../../apps/service/src/testing/test-app.ts';
import { isRefusedNow } from './lost-rights.ts';
import type { Shot } from './wire.ts';

const get = (target: string, header = ''): Shot => ({
  bytes: Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`),
  cuts: [],
  pauseMs: 0,
  ending: 'answer',
  isCut: false,
  methods: ['GET'],
});

it('takes an answer that ended in the middle as correct only when the caller has lost the right to it', async () => {
  await using app = await testApp();
  const kapsule = await addKapsule(app.store, 'Sales');
  const anna = await app.asUser('anna');
  await grant(app.store, 'anna', ['READ'], [kapsule]);
  const port = await listenLocally(app.http);
  const token = anna.token ?? '';
  const ticketTokens = new Map([['used', token]]);
  const world = { service: { port }, source: () => undefined, ticketTokens };
  const path = `/api/kapsule/${kapsule.id}/sql/read/internal`;
  const shots = [get(path, `authorization: Bearer ${token}\r\n`), get(`${path}?ticket=used`)];
  const areRefused = () => Promise.all(shots.map((shot) => isRefusedNow(world, shot, 30_000)));

  expect(await areRefused()).toEqual([false, false]);
  await anna.post('/auth/logout');
  expect(await areRefused()).toEqual([true, true]);
});
