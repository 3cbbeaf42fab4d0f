import { authorityOn, type Kapsule } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { Caller } from '../../http/call.ts';
import { readable } from '../../kapsule-rules/kapsule-access.ts';
import { showKapsule } from '../../kapsule-rules/show-kapsule.ts';

export interface KapsulesService {
  list(caller: Caller): Promise<Kapsule[]>;
  get(id: string, caller: Caller): Promise<Kapsule>;
}

export function kapsulesService(store: Store): KapsulesService {
  return {
    async list(caller) {
      const everything = async () => ({ groups: [], kapsules: await store.kapsules.all() });
      const [{ groups, kapsules }, counts] = await Promise.all([
        caller.role === 'ADMIN' ? everything() : store.reachOf(caller.userId),
        store.granules.countsOfAll(),
      ]);
      return kapsules
        .map((record) => ({ record, authority: authorityOn(record, caller, groups) }))
        .filter(({ authority }) => authority.includes('READ'))
        .map(({ record, authority }) => showKapsule(record, authority, counts.get(record.id)));
    },
    async get(id, caller) {
      const { kapsule, authority } = await readable(store, id, caller);
      return showKapsule(kapsule, authority, await store.granules.counts(id));
    },
  };
}
