import type { Authority } from '@kaptain/contract';
import { noun, type Stored } from './noun.ts';

export interface GroupRecord extends Stored {
  groupname: string;
  nameKey: string;
  authority: Authority[];
  kapsuleIds: string[];
  userIds: string[];
  createdAt: string;
  updatedAt: string;
}

export const groups = noun<GroupRecord>({
  name: 'groups',
  unique: ['nameKey'],
  indexes: ['userIds', 'kapsuleIds'],
  lists: ['userIds', 'kapsuleIds'],
});
