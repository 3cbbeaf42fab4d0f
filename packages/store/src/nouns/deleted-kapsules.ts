import { list, nullable, oneOf, shape, text } from './checks.ts';
import { type KapsuleRecord, kapsuleFields } from './kapsules.ts';
import { noun } from './noun.ts';
import { ruledFields } from './ruled-fields.ts';
import { planFields, type SchedulePlan } from './schedules.ts';

/** A deleted kapsule that can be restored: it is no kapsule, so no call for kapsules finds it; its granules stay. */
export interface DeletedKapsuleRecord extends KapsuleRecord {
  deletedAt: string;
  /** The user name of the caller who deleted it. */
  deletedBy: string;
  /** From this time on it can no longer be restored, and the sweep purges it. */
  purgeAt: string;
  /** The groups that had it. */
  groupIds: string[];
  schedule: SchedulePlan | null;
  /** Whether the purge drops its table in the data source; `any`: also one that the service did not make. */
  tableDrop: 'own' | 'any' | null;
}

export const deletedKapsules = noun<DeletedKapsuleRecord>({
  name: 'deletedKapsules',
  formChanges: [ruledFields],
  fields: {
    ...kapsuleFields,
    deletedAt: text,
    deletedBy: text,
    purgeAt: text,
    groupIds: list(text),
    schedule: nullable(shape<SchedulePlan>(planFields)),
    tableDrop: nullable(oneOf('own', 'any')),
  },
  unique: [],
  indexes: ['ownerId', 'database'],
});
