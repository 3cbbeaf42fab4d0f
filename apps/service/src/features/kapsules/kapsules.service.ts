import { authorityOn, type Kapsule } from '@kaptain/contract';
import type { GranuleCounts, Store } from '@kaptain/store';
import type { Caller } from '../../http/call.ts';
import { readable } from '../../kapsule-rules/kapsule-access.ts';
import type { KapsuleStates } from '../../kapsule-rules/kapsule-states.ts';
import { showKapsule } from '../../kapsule-rules/show-kapsule.ts';

export interface KapsulesService {
  list(caller: Caller): Promise<Kapsule[]>;
  get(id: string, caller: Caller): Promise<Kapsule>;
}

const inStore = (counts: GranuleCounts | undefined) => (counts ? { counts } : {});

export function kapsulesService(store: Store, states: KapsuleStates): KapsulesService {
  return {
    async list(caller) {
      const everything = async () => ({ groups: [], kapsules: await store.kapsules.all() });
      const [{ groups, kapsules }, counts] = await Promise.all([
        caller.role === 'ADMIN' ? everything() : store.visibleTo(caller.userId),
        store.granules.countsOfAll(),
      ]);
      const elsewhere = await states.of(kapsules);
      return kapsules
        .map((record) => ({ record, authority: authorityOn(record, caller, groups) }))
        .filter(({ authority }) => authority.includes('READ'))
        .map(({ record, authority }) =>
          showKapsule(record, authority, elsewhere.get(record.id) ?? inStore(counts.get(record.id))),
        );
    },
    async get(id, caller) {
      const { kapsule, authority } = await readable(store, id, caller);
      const elsewhere = (await states.of([kapsule])).get(id);
      return showKapsule(kapsule, authority, elsewhere ?? { counts: await store.granules.counts(id) });
    },
  };
}
