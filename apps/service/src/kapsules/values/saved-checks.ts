import { type KnownValues, type RowCheck, rowCheck } from '@kaptain/contract/field-rules';
import type { KapsuleRecord } from '@kaptain/store';
import { CACHED_CHECKS } from '../tuning.ts';

/**
 * The checks of saves, made once for each version of a kapsule: a thousand patterns and choices take longer to prepare than a row takes
 * to check. Those that depend on other kapsules or on accounts are made for each save.
 */
export function savedChecks() {
  const made = new Map<string, { version: number; check: RowCheck }>();
  return ({ id, version, fields }: KapsuleRecord, known: KnownValues): RowCheck => {
    if (known.people || known.choices?.size) return rowCheck(fields, known);
    const before = made.get(id);
    if (before?.version === version) return before.check;
    const check = rowCheck(fields);
    made.delete(id);
    made.set(id, { version, check });
    const [oldest] = made.keys();
    if (made.size > CACHED_CHECKS && oldest !== undefined) made.delete(oldest);
    return check;
  };
}
