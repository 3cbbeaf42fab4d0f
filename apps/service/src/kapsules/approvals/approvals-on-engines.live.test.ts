import { rmSync } from 'node:fs';
import type { ProposalResult } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasMongodb, startMongodb } from '../../../../../tools/test-servers/mongodb.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { databaseOf } from '../../base/database/open-store.ts';
import { onServer } from '../../testing/service-on.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type TestApp, type TestAppOptions, testApp } from '../../testing/test-app.ts';
import { approvedKapsule } from './testing/approved-kapsule.ts';

interface Engine {
  options: TestAppOptions;
  stop: () => Promise<unknown>;
}

/** The stores; a data source can't have approvals. */
const stores: { name: string; isHere: boolean; start: () => Promise<Engine> }[] = [
  {
    name: 'the embedded store',
    isHere: true,
    async start() {
      const { path: folder } = temporaryFolder();
      return { options: { folder }, stop: async () => rmSync(folder, { recursive: true, force: true }) };
    },
  },
  {
    name: 'PostgreSQL',
    isHere: hasPostgres(),
    async start() {
      const server = await startPostgres();
      const database = databaseOf({}, onServer('postgres', server.config));
      return { options: { database }, stop: () => server.stop() };
    },
  },
  {
    name: 'MongoDB',
    isHere: isFullTest && hasMongodb(),
    async start() {
      const server = await startMongodb();
      const config = { ...server.config, database: `approvals_${process.pid}` };
      return {
        options: { database: databaseOf({}, onServer('mongodb', config)) },
        stop: () => server.stop(),
      };
    },
  },
];

describe.each(stores.filter(({ isHere }) => isHere))('approvals on $name', ({ start }) => {
  let engine: Engine;
  let app: TestApp;
  beforeAll(async () => {
    engine = await start();
    app = await testApp(engine.options);
  });
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await engine?.stop();
  });

  it('a change waits, is accepted once by one of two at once, and conflicts with another one', async () => {
    const { ann, bob, eve, ask, save, only, open, decide, stored, admin, path, kapsule } =
      await approvedKapsule(app);
    await ask(null);
    await save(admin, 'k', { comment: 'one', amount: 1 });
    await ask({});
    await save(ann, 'k', { comment: 'two', amount: 2 });
    expect(await stored('k')).toEqual({ comment: 'two', amount: 1 });
    await save(eve, 'k', { comment: 'two', amount: 3 });
    const [ofEve, ofAnn] = await open(admin);
    expect([ofEve?.values, ofAnn?.values]).toEqual([{ amount: 3 }, { amount: 2 }]);
    if (!ofEve || !ofAnn) return;
    const both = await Promise.all([decide(bob, 'accept', [ofAnn]), decide(eve, 'accept', [ofAnn])]);
    expect(
      both
        .flat()
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(['accepted', 'failed']);
    expect(await stored('k')).toEqual({ comment: 'two', amount: 2 });
    expect(await decide(bob, 'accept', [ofEve])).toMatchObject([
      { code: 'CONFLICT', conflicts: [{ field: 'amount', base: 1, stored: 2, proposed: 3 }] },
    ]);
    expect((await only()).isOwn).toBe(false);
    const [granule] = await app.store.granules.lookup(kapsule.id, ['k']);
    expect((await bob.get(`${path}/granules/${granule?.id}/history`)).body).toMatchObject([
      { version: 3, user: 'TEST\\ann', approvedBy: [expect.stringContaining('TEST\\')] },
      {},
      {},
    ]);
    expect((await bob.get('/api/proposals/waiting')).body['data']).toMatchObject([{ _id: ofEve._id }]);
  });

  it('many proposals and decisions at once leave each record with one outcome', async () => {
    const { ann, bob, eve, save, open, decide, stored, path, kapsule } = await approvedKapsule(app);
    await Promise.all(Array.from({ length: 20 }, (_, n) => save(ann, `k${n % 5}`, { amount: n + 1 })));
    const waiting = await open(bob);
    expect(waiting).toHaveLength(5);
    const withdraw = async () => {
      const body = { proposalIds: waiting.map(({ _id }) => _id) };
      const answer = await ann.call('POST', `${path}/proposals/withdraw`, { body });
      return answer.body['results'] as ProposalResult[];
    };
    const results = await Promise.all([
      decide(bob, 'accept', waiting),
      decide(eve, 'accept', waiting),
      withdraw(),
    ]);
    const done = results.flat().filter(({ outcome }) => outcome !== 'failed');
    expect(done).toHaveLength(5);
    for (const { key, _id, values } of waiting) {
      const state = (await app.store.proposals.get(_id))?.state;
      expect(await stored(key)).toEqual(state === 'accepted' ? values : undefined);
    }
    expect(await app.store.proposals.findBy('openIn', kapsule.id)).toEqual([]);
  });
});
