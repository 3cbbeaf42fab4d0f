import { describe, expect, it } from 'vitest';
import { idAt, newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { checkTrail } from '../trail/check-trail.ts';
import { sealPending, sealTrail, withMacs } from '../trail/seal-trail.ts';
import { END, Seals } from '../trail/seals.ts';
import { anAuditEntry, someGranules } from './samples.ts';
import type { TestDatabase } from './test-database.ts';

const secret = () => Buffer.alloc(32, 7);
/** Nothing is sealed before the test says so. */
const marked = (store: Store) => withMacs(store, new Seals(secret));
const whole = (sealed: number, waiting = 0) => ({ sealed, waiting, unsealed: 0, faults: [] });

/** As earlier versions wrote an entry: with its number and its seal in it, in the unit of the change. */
async function writeAsEarlier(store: Store, action: string): Promise<void> {
  const seals = new Seals(secret);
  await store.transaction(async ({ trail, audit }) => {
    const end = await trail.get(END);
    const entry = {
      ...anAuditEntry(action),
      id: newId(),
      version: 1,
      number: (end?.number ?? 0) + 1,
    };
    const lastSeal = seals.ofEntry(end?.lastSeal ?? '', entry);
    const seal = seals.ofEnd(entry.number, lastSeal);
    const change = { number: entry.number, lastSeal, lastId: entry.id, seal };
    if (end) await trail.patch(END, change, end.version);
    else await trail.insert({ id: END, singleton: 'trail', ...change });
    await audit.insert({ ...entry, seal: lastSeal });
  });
}

export function trailContract(
  store: () => Store,
  second: () => Promise<Store>,
  database: () => TestDatabase,
): void {
  const check = () => checkTrail(store(), secret);
  const seal = () => sealPending(store(), secret);
  const faults = async () => (await check()).faults.map(({ number, kind }) => `${number ?? ''} ${kind}`);
  const write = async (to: Store, count: number) => {
    for (let n = 0; n < count; n += 1) await to.audit.insert(anAuditEntry(`a${n}`));
  };
  /** The entries in the order of the chain. */
  const chain = async () => {
    const blocks = (await store().seals.all()).sort((a, b) => a.first - b.first);
    return blocks.flatMap(({ entries }) => entries.map(([id]) => id));
  };
  const idOf = async (number: number) => (await chain())[number - 1] ?? '';

  describe('a sealed trail', () => {
    it('is one chain of all writers: single entries, units, imports, two instances at once', async () => {
      const here = marked(store());
      await here.granules.importAll(newId(), someGranules(3), async (nouns) => {
        await nouns.audit.insert(anAuditEntry('import'));
      });
      const other = await second();
      const there = marked(other);
      const unit = (on: Store) =>
        on.transaction((nouns) =>
          Promise.all(['x', 'y', 'z'].map((action) => nouns.audit.insert(anAuditEntry(action)))),
        );
      const refused = here.transaction(async (nouns) => {
        await nouns.audit.insert(anAuditEntry('lost'));
        throw new RangeError('changed my mind');
      });
      const given = { action: 'odd', after: { text: 'a\0\uD800"', none: undefined, 2: [-0, 1e21], b: {} } };
      const sealOn = (on: Store) => sealPending(on, secret);
      await Promise.all([
        ...[here, there, here, there].map(unit),
        here.audit.insert(anAuditEntry('odd', given)),
        expect(refused).rejects.toThrow('changed my mind'),
        ...[store(), other, store()].map(sealOn),
      ]);
      const { sealed, waiting, ...rest } = await check();
      expect([sealed + waiting, rest]).toEqual([14, { unsealed: 0, faults: [] }]);
      await Promise.all([store(), other].map(sealOn));
      await seal();
      expect(await check()).toEqual(whole(14));
      expect(new Set(await chain()).size).toBe(14);
    });

    it('seals by itself, and what waits when it is closed', async () => {
      const there = sealTrail(await database().open(), secret);
      await write(there, 3);
      await expect.poll(async () => (await check()).sealed, { timeout: 10_000 }).toBe(3);
      await write(there, 2);
      await there.close();
      expect(await check()).toEqual(whole(5));
    });

    it('finds an entry that was committed after later ones had been sealed', async () => {
      const late = `${idAt('2001-01-01T00:00:00Z').slice(0, 23)}f`;
      const here = marked(store());
      await write(here, 2);
      await seal();
      await here.audit.insert(anAuditEntry('late', { id: late }));
      expect(await check()).toEqual(whole(2, 1));
      await seal();
      expect([await check(), await idOf(3)]).toEqual([whole(3), late]);
    });

    it('is read in order, also when entries of a clock that was ahead come first', async () => {
      const future = `${idAt('2999-01-01T00:00:00Z').slice(0, 23)}f`;
      const here = marked(store());
      await here.audit.insert(anAuditEntry('ahead', { id: future, at: '2999-01-01T00:00:00.000Z' }));
      await write(here, 2);
      // As after a restart, and on another instance.
      await write(marked(await second()), 2);
      await write(marked(store()), 1);
      await seal();
      const entries = await store().audit.recent({ limit: 9 });
      expect(entries.map(({ action }) => action)).toEqual(['a0', 'a1', 'a0', 'a1', 'a0', 'ahead']);
      // The ids of the later ones have a time after their own, because they follow the newest id.
      expect(entries.map((entry) => entry.isAhead ?? false)).toEqual([...Array(5).fill(true), false]);
      expect((await chain()).toReversed()).toEqual(entries.map(({ id }) => id));
      expect(await check()).toEqual(whole(6));
    });

    it('goes on after the entries of an earlier version, and beside an instance of it', async () => {
      for (const action of ['a', 'b', 'c']) await writeAsEarlier(store(), action);
      expect(await check()).toEqual(whole(3));
      const here = marked(store());
      await write(here, 2);
      await seal();
      await writeAsEarlier(store(), 'd');
      await write(here, 2);
      expect(await check()).toEqual(whole(6, 2));
      await seal();
      expect(await check()).toEqual(whole(8));
      const [first] = await store().audit.findBy('action', 'b');
      await store().audit.remove(first?.id ?? '');
      expect(await faults()).toEqual(['2 missing']);
    });

    it('shows what was changed or is missing, sealed or not, and that its end was moved', async () => {
      const here = marked(store());
      await write(here, 4);
      await seal();
      await write(here, 5);
      await seal();
      const { audit, trail, seals, toSeal } = store();
      const [earlier] = await trail.all();
      const { number, lastSeal, seal: endSeal } = earlier ?? { number: 0, lastSeal: '', seal: '' };
      await write(here, 2);
      const [tenth, eleventh] = await toSeal.all();
      await audit.remove(tenth?.id ?? '');
      await audit.patch(eleventh?.id ?? '', { actor: 'somebody else' });
      expect((await faults()).sort()).toEqual([' changed', ' missing']);
      await seal();
      expect(await faults()).toEqual(['10 missing', '11 changed']);
      await trail.patch(END, { number, lastSeal });
      expect(await faults()).toContain('9 end');
      const newest = (await seals.all()).at(-1);
      await seals.remove(newest?.id ?? '');
      // A kept copy of an earlier end allows going back to that end, and no further.
      await trail.patch(END, { seal: endSeal });
      await audit.remove(eleventh?.id ?? '');
      expect(await check()).toEqual(whole(9));
      await audit.patch(await idOf(7), { actor: 'somebody else' });
      expect(await faults()).toEqual(['7 changed']);
      for (const middle of [2, 3]) await audit.remove(await idOf(middle));
      expect(await faults()).toEqual(['2 missing', '3 missing', '7 changed']);
      const [block] = await seals.all();
      await seals.patch(block?.id ?? '', { entries: block?.entries.slice(1) ?? [] });
      expect(await faults()).toContain('1 changed');
      await seals.remove(block?.id ?? '');
      expect(await faults()).toContain('4 missing');
      await trail.remove(END);
      expect(await faults()).toContain('9 end');
    });

    it('vouches for no entry without a seal, before the chain or after it, and for none under another secret', async () => {
      await write(store(), 3);
      expect(await check()).toEqual({ sealed: 0, waiting: 0, unsealed: 3, faults: [] });
      await write(marked(store()), 2);
      const other = () => Buffer.alloc(32, 8);
      // An instance with another secret leaves them alone.
      await sealPending(store(), other);
      expect(await check()).toEqual({ sealed: 0, waiting: 2, unsealed: 3, faults: [] });
      expect((await checkTrail(store(), other)).faults).toHaveLength(2);
      await seal();
      await write(store(), 1);
      expect(await check()).toEqual({ sealed: 2, waiting: 0, unsealed: 4, faults: [] });
      expect((await checkTrail(store(), other)).faults.length).toBeGreaterThanOrEqual(2);
    });
  });
}
