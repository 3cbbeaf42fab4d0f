import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import type { GranuleInput } from '../granules.ts';
import { newId } from '../ids.ts';
import type { Store } from '../store.ts';

interface Known {
  n: number;
  version: number;
  states: number;
  isReloaded: boolean;
  isDeleted: boolean;
}

type Step =
  | { do: 'upsert' | 'bulk' | 'import'; rows: [key: number, n: number][] }
  | { do: 'remove' | 'restore'; keys: number[] }
  | { do: 'reload' };

const key = fc.nat(7);
const rows = fc.array(fc.tuple(key, fc.nat(2)), { maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('upsert' as const, 'bulk' as const, 'import' as const), rows }),
  fc.record({
    do: fc.constantFrom('remove' as const, 'restore' as const),
    keys: fc.array(key, { maxLength: 4 }),
  }),
  fc.record({ do: fc.constant('reload' as const) }),
);

const change = (known: Known): void => {
  known.version += 1;
  known.states += 1;
  known.isReloaded = false;
};

/** The same as the store, in the plainest words. */
class Model {
  readonly all = new Map<string, Known>();

  write(name: string, n: number): void {
    const known = this.all.get(name);
    if (!known) {
      this.all.set(name, { n, version: 1, states: 1, isReloaded: false, isDeleted: false });
    } else if (known.isDeleted || known.n !== n) {
      change(known);
      known.n = n;
      known.isDeleted = false;
    }
  }

  remove(name: string): void {
    const known = this.all.get(name);
    if (known) known.isDeleted = true;
  }

  restore(name: string): void {
    const known = this.all.get(name);
    if (!known?.isDeleted) return;
    change(known);
    known.isDeleted = false;
  }

  reload(): void {
    for (const known of this.all.values()) if (!known.isDeleted) known.isReloaded = true;
  }

  living(): [string, Known][] {
    return [...this.all].filter(([, known]) => !known.isDeleted).sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

const name = (number: number) => `k${number}`;

export function granuleModelContract(store: () => Store): void {
  const all = { sort: 'key', descending: false, offset: 0, limit: 100 } as const;

  async function run(kapsule: string, model: Model, given: Step): Promise<void> {
    const { granules } = store();
    if (given.do === 'reload') {
      model.reload();
      await granules.markReloaded(kapsule, await granules.watermark(kapsule));
    } else if ('keys' in given) {
      const pages = [
        await granules.page(kapsule, all),
        await granules.page(kapsule, { ...all, deleted: true }),
      ];
      const ids = new Map(pages.flatMap((page) => page.rows.map((row) => [row.key, row.id])));
      const wanted = given.keys.map(name);
      for (const one of wanted) model[given.do](one);
      const chosen = wanted.map((one) => ids.get(one) ?? newId());
      await (given.do === 'remove' ? granules.removeMany(chosen, 'x') : granules.restoreMany(chosen, 'x'));
    } else {
      const inputs: GranuleInput[] = given.rows.map(([k, n]) => ({ key: name(k), user: 'u', data: { n } }));
      if (given.do === 'import') {
        await granules.importAll(kapsule, inputs, async () => undefined);
        for (const [k, n] of new Map(given.rows)) model.write(name(k), n);
      } else {
        await (given.do === 'bulk' ? granules.bulkUpsert(kapsule, inputs) : granules.upsert(kapsule, inputs));
        for (const [k, n] of given.rows) model.write(name(k), n);
      }
    }
  }

  async function expectSame(kapsule: string, model: Model): Promise<void> {
    const living = model.living();
    const page = await store().granules.page(kapsule, all);
    const shown = page.rows.map(({ key: k, data, version, reloaded }) => [k, data['n'], version, reloaded]);
    expect(shown).toEqual(living.map(([k, { n, version, isReloaded }]) => [k, n, version, isReloaded]));
    const reloaded = living.filter(([, known]) => known.isReloaded).length;
    expect(await store().granules.counts(kapsule)).toEqual({
      total: living.length,
      reloaded,
      notReloaded: living.length - reloaded,
    });
    const deleted = await store().granules.page(kapsule, { ...all, deleted: true });
    expect(deleted.total).toBe(model.all.size - living.length);
    for (const row of [...page.rows, ...deleted.rows]) {
      expect(await store().granules.history(row.id)).toHaveLength(model.all.get(row.key)?.states ?? 0);
    }
  }

  it('keeps rows, versions, history and counters exact over any order of writes', async () => {
    const asTheModelSays = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const kapsule = newId();
      const model = new Model();
      for (const given of steps) await run(kapsule, model, given);
      await expectSame(kapsule, model);
    });
    await expect(fc.assert(asTheModelSays, { numRuns: sized(60, 10) })).resolves.toBeUndefined();
  });
}
