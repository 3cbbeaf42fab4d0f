import type { KapsuleStructure } from '@kaptain/contract';
import type { Caller } from '../../base/call/call.ts';
import type { RecentProof } from '../../identity/second-factor/identity.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import { takesUpColumns } from '../data-sources/source-tables.ts';

interface Deps extends Pick<Databases, 'dataSources'> {
  recentProof: RecentProof;
}

interface Adopting extends Pick<KapsuleStructure, 'database' | 'tableName' | 'keyField' | 'fields'> {
  appId?: string | undefined;
}

/**
 * Asks an ADMIN for a proof where a USER is refused: before columns that exist already become fields beside those in
 * `known`, and before the service reloads an app for others.
 */
export const adoptionProof =
  ({ dataSources, recentProof }: Deps) =>
  async (wanted: Adopting, caller: Caller, known: readonly string[] = []): Promise<void> => {
    // The data source is asked only when the answer matters.
    if (caller.role !== 'ADMIN' || !recentProof.isMissing('ifAsked', caller)) return;
    if (wanted.appId !== undefined || (await takesUpColumns(dataSources, wanted, known)))
      recentProof.require('ifAsked', caller);
  };
