import { isDeepStrictEqual } from 'node:util';
import { lockedRow, type Refusal } from '@kaptain/contract/field-rules';
import { closingLock, type SeenLock } from '@kaptain/contract/locks';
import type { GranuleInput, GranuleRecord, GranuleWrites, KapsuleRecord, Nouns } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { requireWhole } from '../granules/look-up-pages.ts';
import { LOCKED_READS } from '../tuning.ts';
import { RefusedValues } from '../values/refused-values.ts';
import { OvertakenError } from './overtaken-error.ts';
import { seenLocksOf } from './seen-locks-of.ts';

interface Deps extends Databases {
  clock: () => number;
}

/** What is to become of the rows. */
type Way = 'removed' | 'restored';

interface Held {
  locks: SeenLock[];
  /** By their ids, as they are before they are removed, and after they are restored. */
  rows: Map<string, GranuleInput>;
}

type Wanted = ReadonlyMap<KapsuleRecord, readonly string[]>;

/** Says why locks refuse to remove a row, or to bring it back, which enters it again. */
export function rowRefusals(
  { fields }: Pick<KapsuleRecord, 'fields'>,
  locks: readonly SeenLock[],
  way: Way,
): (data: GranuleRecord['data']) => Refusal[] {
  if (way === 'restored') {
    const entered = lockedRow(fields, locks);
    return (data) => entered(null, data).refusals;
  }
  const closing = closingLock(fields, locks);
  return (data) => {
    const lock = closing(data);
    return lock ? [{ field: '', rule: 'closed', message: `It is closed: ${lock.name}.` }] : [];
  };
}

/** Reads rows, a few at a time: all together may have gigabytes. */
async function* rowsOf(
  databases: Databases,
  kapsule: KapsuleRecord,
  ids: readonly string[],
  way: Way,
): AsyncGenerator<GranuleRecord> {
  const granules = granulesOf(databases, kapsule);
  for (let first = 0; first < ids.length; first += LOCKED_READS) {
    const some = ids.slice(first, first + LOCKED_READS).map((id) => granules.get(id));
    for (const found of await Promise.all(some)) {
      const isThere = found !== undefined && (found.deletedAt !== null) === (way === 'restored');
      const row = isThere ? requireWhole(found) : null;
      if (row) yield row;
    }
  }
}

/** Throws when a lock closes one of the rows. */
async function eachOpen(
  deps: Deps,
  way: Way,
  wanted: Wanted,
  caller: Caller,
  take: (kapsule: KapsuleRecord, locks: SeenLock[], row?: GranuleRecord) => void,
): Promise<void> {
  const refused = new RefusedValues();
  for (const [kapsule, ids] of wanted) {
    const locks = await seenLocksOf(deps.store, kapsule, caller, deps.clock());
    take(kapsule, locks);
    if (locks.length === 0) continue;
    const refusalsOf = rowRefusals(kapsule, locks, way);
    for await (const row of rowsOf(deps, kapsule, ids, way)) {
      refused.add(row.key, refusalsOf(row.data));
      take(kapsule, locks, row);
    }
  }
  refused.end();
}

/** Throws when a lock closes one of the rows, before the first of them is changed. */
export const requireOpenRows = (deps: Deps, way: Way, wanted: Wanted, caller: Caller): Promise<void> =>
  eachOpen(deps, way, wanted, caller, () => undefined);

/** Rows that no lock keeps from being removed or restored, at the versions at which that was found. */
export class HeldRows {
  readonly #clock: () => number;
  readonly #held = new Map<string, Held>();

  private constructor(clock: () => number) {
    this.#clock = clock;
  }

  static async of(deps: Deps, way: Way, wanted: Wanted, caller: Caller): Promise<HeldRows> {
    const held = new HeldRows(deps.clock);
    await eachOpen(deps, way, wanted, caller, ({ id }, locks, row) => {
      const ofKapsule = held.#held.get(id) ?? { locks, rows: new Map() };
      held.#held.set(id, ofKapsule);
      if (!row) return;
      const { key, user, data, version } = row;
      ofKapsule.rows.set(row.id, { key, user, data, version: way === 'restored' ? version + 1 : version });
    });
    return held;
  }

  /** Refuses rows that are at another version by now: a row that is written as it is stays as it is. */
  async requireSameRows(
    { id }: Pick<KapsuleRecord, 'id'>,
    ids: readonly string[],
    granules: GranuleWrites,
  ): Promise<void> {
    const rows = ids.flatMap((one) => this.#held.get(id)?.rows.get(one) ?? []);
    if (rows.length > 0) await granules.upsert(id, rows);
  }

  async requireSameLocks(
    nouns: Pick<Nouns, 'groups'>,
    present: KapsuleRecord,
    caller: Caller,
  ): Promise<void> {
    const locks = await seenLocksOf(nouns, present, caller, this.#clock());
    if (!isDeepStrictEqual(locks, this.#held.get(present.id)?.locks)) throw new OvertakenError();
  }
}
