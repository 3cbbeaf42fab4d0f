import { type KnownValues, type RowCheck, rowCheck } from '@kaptain/contract/field-rules';
import type { SeenLock } from '@kaptain/contract/locks';
import type { KapsuleRecord } from '@kaptain/store';
import { CACHED_CHECKS } from '../tuning.ts';

/**
 * The checks of saves, made once for each version of a kapsule and the locks as callers meet them: a thousand patterns and choices take longer to prepare than a row takes
 * to check. Those that depend on other kapsules or on accounts are made for each save.
 */
export function savedChecks() {
  const made = new Map<string, { version: number; check: RowCheck }>();
  return (
    { id, version, fields }: KapsuleRecord,
    known: KnownValues,
    locks: readonly SeenLock[],
  ): RowCheck => {
    if (known.people || known.choices?.size) return rowCheck(fields, known, locks);
    const name = locks.length === 0 ? id : `${id} ${JSON.stringify(locks)}`;
    const before = made.get(name);
    if (before?.version === version) return before.check;
    const check = rowCheck(fields, {}, locks);
    made.delete(name);
    made.set(name, { version, check });
    const [oldest] = made.keys();
    if (made.size > CACHED_CHECKS && oldest !== undefined) made.delete(oldest);
    return check;
  };
}
