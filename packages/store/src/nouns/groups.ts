import type { Authority } from '@kaptain/contract';
import { list, oneOf, text } from './checks.ts';
import { type FormChange, noun, type Stored } from './noun.ts';

export interface GroupRecord extends Stored {
  groupname: string;
  nameKey: string;
  authority: Authority[];
  kapsuleIds: string[];
  userIds: string[];
  createdAt: string;
  updatedAt: string;
}

const EARLIER = ['READ', 'DELETE'];

const inEarlier = (authority: unknown): unknown[] =>
  Array.isArray(authority) ? authority.filter((one) => EARLIER.includes(one)) : [];

/**
 * Form 2 has WRITE. Earlier versions refuse a group with it, so that they get the rest, and the whole list beside it. What
 * they grant afterwards counts instead. A group has one authority for all members, so that one whom they add gets WRITE with the others:
 * without it, those who had WRITE before would lose it.
 */
const write: FormChange = {
  fromOlder({ granted, ...group }) {
    const { authority } = group;
    const isUnchanged = granted !== undefined && String(authority) === String(inEarlier(granted));
    return isUnchanged ? { ...group, authority: granted } : group;
  },
  toOlder: (group) => {
    const { authority } = group;
    const rest = inEarlier(authority);
    const isWhole = String(authority) === String(rest);
    return isWhole ? group : { ...group, authority: rest, granted: authority };
  },
};

export const groups = noun<GroupRecord>({
  name: 'groups',
  fields: {
    groupname: text,
    nameKey: text,
    authority: list(oneOf('READ', 'WRITE', 'DELETE')),
    kapsuleIds: list(text),
    userIds: list(text),
    createdAt: text,
    updatedAt: text,
  },
  unique: ['nameKey'],
  indexes: ['userIds', 'kapsuleIds'],
  lists: ['userIds', 'kapsuleIds'],
  formChanges: [write],
});
