import { describe, expect, it } from 'vitest';
import { idAt, newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { checkTrail } from '../trail/check-trail.ts';
import { sealTrail } from '../trail/seal-trail.ts';
import { END } from '../trail/seals.ts';
import { anAuditEntry, someGranules } from './samples.ts';

const secret = () => Buffer.alloc(32, 7);

export function trailContract(store: () => Store, another: () => Promise<Store>): void {
  const check = () => checkTrail(store(), secret);
  const faults = async () => (await check()).faults.map(({ number, kind }) => `${number} ${kind}`);
  const write = async (sealed: Store, count: number) => {
    for (let n = 0; n < count; n += 1) await sealed.audit.insert(anAuditEntry(`a${n}`));
  };
  const idOf = async (number: number) =>
    (await store().audit.all()).find((entry) => entry.number === number)?.id ?? '';

  describe('a sealed trail', () => {
    it('is one chain of all writers: single entries, units, imports, two instances at once', async () => {
      const here = sealTrail(store(), secret);
      await here.granules.importAll(newId(), someGranules(3), async (nouns) => {
        await nouns.audit.insert(anAuditEntry('import'));
      });
      const second = await another();
      try {
        const there = sealTrail(second, secret);
        const unit = (on: Store) =>
          on.transaction((nouns) =>
            Promise.all(['x', 'y', 'z'].map((action) => nouns.audit.insert(anAuditEntry(action)))),
          );
        const refused = here.transaction(async (nouns) => {
          await nouns.audit.insert(anAuditEntry('lost'));
          throw new RangeError('changed my mind');
        });
        const given = { action: 'odd', after: { text: 'a\0\uD800"', none: undefined, 2: [-0, 1e21], b: {} } };
        await Promise.all([
          ...[here, there, here, there].map(unit),
          here.audit.insert(anAuditEntry('odd', given)),
          expect(refused).rejects.toThrow('changed my mind'),
        ]);
        expect(await check()).toEqual({ sealed: 14, unsealed: 0, faults: [] });
      } finally {
        await second.close();
      }
    });

    it('is read in the order of the chain, also when entries of a clock that was ahead come first', async () => {
      const future = `${idAt('2999-01-01T00:00:00Z').slice(0, 23)}f`;
      const here = sealTrail(store(), secret);
      await here.audit.insert(anAuditEntry('ahead', { id: future, at: '2999-01-01T00:00:00.000Z' }));
      await write(here, 2);
      // As after a restart, and on another instance.
      const second = await another();
      try {
        await write(sealTrail(second, secret), 2);
        await write(here, 1);
        const [end] = await store().trail.all();
        // As an earlier version has left it.
        await store().trail.patch(END, { lastId: undefined } as object);
        await write(sealTrail(second, secret), 1);
        expect(end?.lastId).toBeDefined();
      } finally {
        await second.close();
      }
      const entries = await store().audit.recent({ limit: 9 });
      expect(entries.map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1]);
      expect(entries.map((entry) => entry.isAhead ?? false)).toEqual([...Array(6).fill(true), false]);
      expect(await check()).toEqual({ sealed: 7, unsealed: 0, faults: [] });
    });

    it('shows what was changed or is missing, and that its end was moved', async () => {
      const sealed = sealTrail(store(), secret);
      await write(sealed, 9);
      const { audit, trail } = store();
      const [earlier] = await trail.all();
      const { number, lastSeal, seal } = earlier ?? { number: 0, lastSeal: '', seal: '' };
      await write(sealed, 1);
      await audit.remove(await idOf(10));
      expect(await faults()).toEqual(['10 missing']);
      await trail.patch(END, { number, lastSeal });
      expect(await faults()).toEqual(['9 end']);
      // A kept copy of an earlier end allows going back to that end, and no further.
      await trail.patch(END, { seal });
      expect(await faults()).toEqual([]);
      await audit.patch(await idOf(7), { actor: 'somebody else' });
      expect(await faults()).toEqual(['7 changed']);
      for (const middle of [4, 5]) await audit.remove(await idOf(middle));
      expect(await faults()).toEqual(['4 missing', '5 missing', '7 changed']);
      const forged = await audit.get(await idOf(9));
      await audit.insert({ ...(forged ?? anAuditEntry('x')), id: newId(), number: 12 });
      expect(await faults()).toContain('12 end');
      await trail.remove(END);
      expect(await faults()).toContain('12 end');
    });

    it('vouches for no entry without a seal, before the chain or in it, and for none under another secret', async () => {
      await write(store(), 3);
      expect(await check()).toEqual({ sealed: 0, unsealed: 3, faults: [] });
      await write(sealTrail(store(), secret), 2);
      await write(store(), 1);
      expect(await check()).toEqual({ sealed: 2, unsealed: 4, faults: [] });
      expect((await checkTrail(store(), () => Buffer.alloc(32, 8))).faults).toHaveLength(2);
    });
  });
}
