import { describe, expect, it, vi } from 'vitest';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';
import { someGranules } from './samples.ts';

export function granuleChangesContract(store: () => Store, second: () => Promise<Store>): void {
  describe('listening to changes', () => {
    it('hears of every committed change, of nothing that was rolled back, until it ends', async () => {
      const kapsule = newId();
      const heard: string[] = [];
      const end = store().granules.onChange((id) => heard.push(id));
      const expectHeard = async (work: () => Promise<unknown>) => {
        heard.length = 0;
        await work();
        await vi.waitFor(() => expect(heard).toContain(kapsule));
      };
      await expectHeard(() => store().granules.upsert(kapsule, [...someGranules(1)]));
      const { rows } = await store().granules.page(kapsule, {
        sort: 'key',
        descending: false,
        offset: 0,
        limit: 1,
      });
      const ids = rows.map(({ id }) => id);
      await expectHeard(() => store().granules.bulkUpsert(kapsule, someGranules(5)));
      await expectHeard(() => store().granules.removeMany(ids, 'Bob'));
      await expectHeard(() => store().granules.restoreMany(ids, 'Bob'));
      await expectHeard(() => store().granules.markReloaded(kapsule, 99));
      await expectHeard(() => store().granules.importAll(kapsule, someGranules(9), async () => undefined));
      await expectHeard(() =>
        store().transaction((unit) => unit.granules.upsert(kapsule, [...someGranules(20)])),
      );
      heard.length = 0;
      const failing = store().transaction(async (unit) => {
        await unit.granules.upsert(kapsule, [...someGranules(30)]);
        throw new RangeError('no');
      });
      await expect(failing).rejects.toThrow('no');
      end();
      await store().granules.upsert(kapsule, [...someGranules(40)]);
      expect(heard).toEqual([]);
    });

    it('hears nothing of a failed import, also not of the first one into a kapsule', async () => {
      const [failed, kapsule] = [newId(), newId()];
      const heard: string[] = [];
      const end = store().granules.onChange((id) => heard.push(id));
      const broken = async () => {
        throw new RangeError('no');
      };
      await expect(store().granules.importAll(failed, someGranules(3), broken)).rejects.toThrow('no');
      // The poll that would find the import finds later changes of another process too.
      const other = await second();
      await other.granules.upsert(kapsule, [...someGranules(1)]);
      await vi.waitFor(() => expect(heard).toContain(kapsule));
      expect(heard).not.toContain(failed);
      end();
    });

    it('hears of what others have changed within a second, and of nothing else', async () => {
      const [kapsule, untouched] = [newId(), newId()];
      await store().granules.upsert(untouched, [...someGranules(1)]);
      const heard: string[] = [];
      const end = store().granules.onChange((id) => heard.push(id));
      const other = await second();
      await other.granules.upsert(kapsule, [...someGranules(1)]);
      await vi.waitFor(() => expect(heard).toEqual([kapsule]));
      end();
    });

    it('hears of what others change right after a change of its own', async () => {
      const kapsule = newId();
      const heard: string[] = [];
      const other = await second();
      const end = store().granules.onChange((id) => heard.push(id));
      for (let round = 0; round < 3; round += 1) {
        await store().granules.upsert(kapsule, [...someGranules(1, `own ${round}`)]);
        heard.length = 0;
        await other.granules.upsert(kapsule, [...someGranules(1, `other ${round}`)]);
        await vi.waitFor(() => expect(heard).toContain(kapsule));
      }
      end();
    });
  });
}
