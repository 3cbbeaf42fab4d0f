import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  hasPostgres,
  type PostgresServer,
  startPostgres,
} from '../../../../../tools/test-servers/postgres.ts';
import { wireTo } from '../../../../../tools/test-servers/wire.ts';
import { isFullTest, sized, soonMs } from '../../../../../tools/test-size.ts';
import { DiskFullError, UnavailableError } from '../../errors.ts';
import type { Store } from '../../store.ts';
import { patient } from '../../testing/patient.ts';
import { aUser, someGranules } from '../../testing/samples.ts';
import { DATABASE_SILENCE_MS } from '../shared/tuning.ts';
import { fromPostgres } from './driver-errors.ts';
import { open } from './open.ts';
import { increment } from './testing/increment.ts';
import { query } from './testing/query.ts';
import { startChild } from './testing/start-child.ts';

const KILLS = sized(10, 1);
/** Longer than a slow machine pauses, shorter than what `soonMs` allows. */
const silenceMs = sized(DATABASE_SILENCE_MS, 6_000);

describe.runIf(hasPostgres())('PostgreSQL and several instances', () => {
  let server: PostgresServer;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres({ fsync: true });
    store = await open({ ...server.config, silenceMs });
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  it('run the units of several processes one after another, and tell each other what changed', async () => {
    const config = patient(server.config);
    const calm = await open(config);
    onTestFinished(() => calm.close());
    const { id } = await calm.users.insert(aUser('counter'));
    const heard = new Set<string>();
    const end = calm.granules.onChange((kapsuleId) => heard.add(kapsuleId));
    const busy = await open(config);
    onTestFinished(() => busy.close());
    const { promise: childIsOpen, resolve } = Promise.withResolvers<void>();
    const child = startChild(config, 'increment', 40, (line) => line === 'open' && resolve());
    await Promise.race([childIsOpen, child]);
    await increment(busy, 40);
    expect((await child).errors).toBe('');
    expect(await calm.users.get(id)).toMatchObject({ loginAttempts: 80, version: 81 });
    expect(await calm.audit.findBy('action', 'increment')).toHaveLength(80);
    const { rows } = await calm.granules.page('kapsule', {
      sort: 'key',
      descending: false,
      offset: 0,
      limit: 9,
    });
    expect(rows).toMatchObject([{ key: 'shared', version: 80 }]);
    await vi.waitFor(() => expect([...heard]).toEqual(['kapsule']));
    end();
  });

  it.runIf(isFullTest)(
    'hear of a change whose notice was lost, also after one that they have heard of',
    async () => {
      const calm = await open(patient(server.config));
      onTestFinished(() => calm.close());
      let heard = 0;
      calm.granules.onChange(() => heard++);
      // The first look at all kapsules, which later ones are compared with, is behind.
      await setTimeout(6_000);
      await calm.granules.upsert('unheard', [...someGranules(1)]);
      expect(heard).toBe(1);
      await query(server.config, `UPDATE kapsule_data.granule_counts SET last_change = last_change + 1`);
      await expect.poll(() => heard, { timeout: 20_000 }).toBeGreaterThan(1);
    },
  );

  it('refuse a write beside the unit that it would wait for', async () => {
    const unit = store.transaction(() => store.users.insert(aUser('beside')));
    await expect(unit).rejects.toThrow('only the nouns handed to it may write');
    const granules = store.transaction(() => store.granules.upsert('k', [...someGranules(1)]));
    await expect(granules).rejects.toThrow('only the nouns handed to it may write');
  });

  it('give up a unit that takes too long, and go on', async () => {
    const hasty = await open({ ...server.config, unitLimitMs: 200 });
    const { promise: late, resolve: writeLate } = Promise.withResolvers<unknown>();
    const slow = hasty.transaction(async () => {
      await setTimeout(1_000);
      // Its unit is over by now, so this is a write of its own.
      writeLate(hasty.users.insert(aUser('late')));
    });
    await expect(slow).rejects.toThrow(UnavailableError);
    await expect(late).resolves.toMatchObject({ username: 'late' });
    await expect(hasty.transaction((nouns) => nouns.users.all())).resolves.toBeDefined();
    await hasty.close();
  });

  it('let units pass while an import publishes, and write to its kapsule afterwards', async () => {
    const kapsule = 'busy';
    await store.granules.upsert(kapsule, [...someGranules(1)]);
    let publishing: Promise<unknown> | undefined;
    await store.granules.importAll(kapsule, someGranules(10, 'imported'), async (nouns) => {
      await nouns.users.insert(aUser('during the import'));
      const other = await open(server.config);
      publishing = other
        .transaction((unit) => unit.granules.upsert(kapsule, [{ key: 'late', user: 'u', data: {} }]))
        .then(() => other.close());
      await setTimeout(700);
    });
    await publishing;
    expect((await store.granules.counts(kapsule)).total).toBe(12);
  });

  it(`fail quickly and lose nothing when the server is killed (rounds: ${KILLS}), and recover by themselves`, async () => {
    const acknowledged: string[] = [];
    const state = { isDone: false, unexpected: [] as unknown[] };
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !state.isDone; n += 1) {
        const name = `w${writer}-${n}`;
        try {
          await store.transaction((nouns) => nouns.users.insert(aUser(name)));
          acknowledged.push(name);
        } catch (error) {
          if (!(error instanceof UnavailableError)) state.unexpected.push(error);
          await setTimeout(20);
        }
      }
    });
    const heard: string[] = [];
    store.granules.onChange((kapsuleId) => heard.push(kapsuleId));
    for (let round = 0; round < KILLS; round += 1) {
      const before = acknowledged.length;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5));
      await server.kill();
      const began = Date.now();
      const calls = [
        store.ping(),
        store.users.all(),
        store.sessionWithUser('x'),
        store.users.insert(aUser('down')),
        store.transaction((nouns) => nouns.users.all()),
        store.granules.upsert('k', [...someGranules(1)]),
        store.granules.bulkUpsert('k', someGranules(300)),
        store.granules.importAll('k', someGranules(1), async () => undefined),
        store.granules.stream('k', {})[Symbol.asyncIterator]().next(),
      ];
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
      }
      expect(Date.now() - began).toBeLessThan(soonMs);
      await server.start();
      const back = Date.now();
      await vi.waitFor(() => store.ping(), { interval: 50 });
      await vi.waitFor(() => store.transaction((nouns) => nouns.users.all()), {
        interval: 50,
      });
      expect(Date.now() - back).toBeLessThan(2 * soonMs);
    }
    state.isDone = true;
    await Promise.all(writers);
    expect(state.unexpected).toEqual([]);
    const stored = new Set((await store.users.all()).map((user) => user.username));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    const other = await open(server.config);
    heard.length = 0;
    await vi.waitFor(
      async () => {
        await other.granules.upsert('heard', [{ key: 'k', user: 'u', data: { at: Date.now() } }]);
        expect(heard).toContain('heard');
      },
      { interval: 100 },
    );
    await other.close();
  });

  it('fail quickly when the network swallows everything, and never use a connection from before again', async () => {
    const wire = await wireTo(server.config.port);
    const cut = await open({ ...server.config, port: wire.port, silenceMs });
    onTestFinished(async () => {
      wire.close();
      await cut.close();
    });
    // As many connections as they use, so that some lie idle.
    await Promise.all(Array.from({ length: 9 }, () => cut.users.all()));
    const heard: string[] = [];
    cut.granules.onChange((kapsuleId) => heard.push(kapsuleId));
    wire.swallow();
    const began = performance.now();
    const calls = [
      cut.ping(),
      cut.users.all(),
      cut.users.insert(aUser('swallowed')),
      cut.transaction((nouns) => nouns.users.all()),
      cut.granules.importAll('k', someGranules(1), async () => undefined),
    ];
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(UnavailableError) });
    }
    expect(performance.now() - began).toBeLessThan(soonMs);
    wire.mend();
    await vi.waitFor(() => cut.ping(), { interval: 50 });
    await Promise.all(Array.from({ length: 9 }, () => cut.users.all()));
    await cut.transaction((nouns) => nouns.users.insert(aUser('after the noAnswer')));
    await store.granules.upsert('told', [...someGranules(1)]);
    await vi.waitFor(() => expect(heard).toContain('told'));
  });

  it('tell a full disk from an outage', () => {
    const where = { host: 'db', port: 5432, user: 'u', database: 'd' };
    const full = Object.assign(new Error('could not extend file'), { code: '53100' });
    expect(fromPostgres(full, where)).toBeInstanceOf(DiskFullError);
    const mistake = Object.assign(new Error('syntax error'), { code: '42601' });
    expect(fromPostgres(mistake, where)).toBe(mistake);
  });
});
