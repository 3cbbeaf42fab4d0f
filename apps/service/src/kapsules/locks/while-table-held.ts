import { DEFAULT_DATABASE } from '@kaptain/contract';
import type { KapsuleRecord, Unit } from '@kaptain/store';
import type { Databases } from '../data-sources/data-sources.ts';
import { changeGranules } from '../granules/granules-of.ts';

/**
 * A unit of work that changes locks. It holds the table of a kapsule in a data source: a save that commits there has read the locks of
 * before, and ends before the unit begins.
 */
export const whileTableHeld = <T>(
  databases: Databases,
  kapsule: KapsuleRecord,
  work: (unit: Unit) => Promise<T>,
): Promise<T> =>
  changeGranules(
    databases,
    [kapsule],
    // Marks nothing, but locks the table.
    async ({ id, database }, granules) =>
      database !== DEFAULT_DATABASE && (await granules.markReloaded(id, 0)),
    work,
  );
