import { closedRefusal } from '@kaptain/contract/field-rules';
import { refusingLock } from '@kaptain/contract/locks';
import type { GranuleRecord } from '@kaptain/store';
import type { Admitted } from '../data-api/granule-saving.ts';
import { RefusedValues } from '../values/refused-values.ts';

interface ChangedField {
  key: string;
  field: string;
  before: GranuleRecord['data'] | null;
  after: GranuleRecord['data'];
  /** A comment that is added. */
  isEntered: boolean;
}

/** Refuses a change of comments that a lock closes. */
export function requireOpenThread(
  { kapsule: { fields }, locks }: Pick<Admitted, 'kapsule' | 'locks'>,
  { key, field, before, after, isEntered }: ChangedField,
): void {
  const lock = refusingLock(fields, locks)(before, after)(field, isEntered);
  if (!lock) return;
  const refused = new RefusedValues();
  const named = fields.find(({ name }) => name === field) ?? { name: field };
  refused.add(key, [closedRefusal(named, lock)]);
  refused.end();
}
