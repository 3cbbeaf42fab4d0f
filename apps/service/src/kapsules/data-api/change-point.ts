import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import type { Databases } from '../data-sources/data-sources.ts';
import { granulesOf } from '../granules/granules-of.ts';
import { type ChangePoint, epochOf } from './watermarks.ts';

/** Where the changes of a kapsule are now. The restore of a backup leaves data sources as they are. */
export async function changePointOf(databases: Databases, kapsule: KapsuleRecord): Promise<ChangePoint> {
  const lastChange = await granulesOf(databases, kapsule).watermark(kapsule.id);
  const epoch = kapsule.database === DEFAULT_DATABASE ? await epochOf(databases.store) : '';
  return { kapsuleId: kapsule.id, lastChange, epoch };
}
