import { type Authority, authoritiesOf, includesAuthority, type Kapsule } from '@kaptain/contract';
import { foldName, type GranuleCounts, type KapsuleRecord, type Store } from '@kaptain/store';
import { TimeSlice } from '@kaptain/store/time-slice';
import type { Caller } from '../../base/call/call.ts';
import { isInReach } from '../granules/key-limits.ts';
import { withoutSources, withSeenSources } from '../values/choice-sources.ts';
import { readable } from './kapsule-access.ts';
import type { KapsuleStates } from './kapsule-states.ts';
import { showKapsule } from './show-kapsule.ts';

interface KapsulesService {
  /** With `name`, only kapsules of this name. */
  list(caller: Caller, name?: string): Promise<Kapsule[]>;
  get(id: string, caller: Caller): Promise<Kapsule>;
}

/** A key that only reads says so; others are answered as their creator, like before there were such keys. */
const shownTo = ({ keyAuthority }: Caller, authority: Authority[]): Authority[] =>
  keyAuthority === 'READ' ? ['READ'] : authority;

const inStore = (counts: GranuleCounts | undefined) => (counts ? { counts } : {});

export function kapsulesService(store: Store, states: KapsuleStates): KapsulesService {
  return {
    async list(caller, name) {
      const everything = async () => ({ groups: [], kapsules: await store.kapsules.all() });
      const [{ groups, kapsules }, counts] = await Promise.all([
        caller.role === 'ADMIN' ? everything() : store.visibleTo(caller.userId),
        store.granules.countsOfAll(),
      ]);
      const wanted = kapsules.filter(
        ({ id, nameKey }) => isInReach(caller, id) && (name === undefined || nameKey === foldName(name)),
      );
      const elsewhere = await states.of(wanted);
      const shown: Kapsule[] = [];
      const slice = new TimeSlice();
      const authorityOn = authoritiesOf(caller, groups);
      const isRead = (record: KapsuleRecord) => includesAuthority(authorityOn(record), 'READ');
      const known = new Map(kapsules.map((record) => [record.id, record]));
      const isSeen = (id: string) => {
        const source = known.get(id);
        return source !== undefined && isInReach(caller, id) && isRead(source);
      };
      for (const record of wanted) {
        const authority = authorityOn(record);
        if (includesAuthority(authority, 'READ'))
          shown.push(
            showKapsule(
              withoutSources(record, isSeen),
              shownTo(caller, authority),
              elsewhere.get(record.id) ?? inStore(counts.get(record.id)),
            ),
          );
        if (slice.isOver) await slice.pause();
      }
      return shown;
    },
    async get(id, caller) {
      const { kapsule, authority } = await readable(store, id, caller);
      const elsewhere = (await states.of([kapsule])).get(id);
      const shown = await withSeenSources(store, kapsule, caller);
      return showKapsule(shown, authority, elsewhere ?? { counts: await store.granules.counts(id) });
    },
  };
}
