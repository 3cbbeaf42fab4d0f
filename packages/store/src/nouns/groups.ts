import type { Authority } from '@kaptain/contract';
import { list, oneOf, text } from './checks.ts';
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
  fields: {
    groupname: text,
    nameKey: text,
    authority: list(oneOf('READ', 'DELETE')),
    kapsuleIds: list(text),
    userIds: list(text),
    createdAt: text,
    updatedAt: text,
  },
  unique: ['nameKey'],
  indexes: ['userIds', 'kapsuleIds'],
  lists: ['userIds', 'kapsuleIds'],
});
