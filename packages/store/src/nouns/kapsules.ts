import type { DatabaseName, Field } from '@kaptain/contract';
import { noun, type Stored } from './noun.ts';

export interface KapsuleRecord extends Stored {
  name: string;
  nameKey: string;
  database: DatabaseName;
  tableName: string;
  table: string;
  keyField: string;
  /** The owner as shown; ownerId decides rights. */
  owner: string;
  ownerId: string;
  fields: Field[];
  /** The app of the platform that loads it. */
  appId?: string | null;
  /** Its table is to be dropped first; it stays to be seen until that has worked. */
  state?: 'deleting' | null;
  createdAt: string;
  updatedAt: string;
}

export const kapsules = noun<KapsuleRecord>({
  name: 'kapsules',
  // Not unique: people who can't see each other's kapsules may choose the same name.
  unique: [],
  indexes: ['nameKey', 'ownerId', 'database'],
});
