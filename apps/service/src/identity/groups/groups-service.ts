import type { api, Given, Group } from '@kaptain/contract';
import { type GroupRecord, type Nouns, type Store, UniqueError } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { changedFields } from '../../base/audit/changed-fields.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { requireStillAdmin } from '../sessions/require-still-admin.ts';
import { groupContent, nameTaken } from './group-input.ts';
import { entriesOf, requireRoomInGroups } from './group-room.ts';
import { auditable, showGroups } from './show-groups.ts';

export interface GroupsDeps {
  store: Store;
  clock: () => number;
}

type Form = Given<typeof api.groups.create>['body'];
type Change = Given<typeof api.groups.update>['body'];

const missing = () => new AppError('NOT_FOUND', 'There is no such group.');
const targetOf = ({ id, groupname }: GroupRecord) => ({ noun: 'group', id, name: groupname });

export function groupsService({ store, clock }: GroupsDeps) {
  const now = () => new Date(clock()).toISOString();

  /** Reads one group as answered, inside the unit that changed it. */
  async function shown(nouns: Nouns, record: GroupRecord): Promise<Group> {
    const [group] = await showGroups(nouns, [record]);
    if (!group) throw missing();
    return group;
  }

  async function inUnit<T>(call: Call<'admin'>, work: (nouns: Nouns) => Promise<T>): Promise<T> {
    try {
      return await store.transaction(async (nouns) => {
        await requireStillAdmin(nouns, call);
        return work(nouns);
      });
    } catch (error) {
      throw error instanceof UniqueError && error.noun === 'groups' ? nameTaken() : error;
    }
  }

  return {
    list: async () => showGroups(store, await store.groups.all()),
    async findByUser(userId: string, { caller }: Call<'loggedIn'>): Promise<Group[]> {
      if (!(await store.users.get(userId))) throw new AppError('NOT_FOUND', 'There is no such user.');
      const groups = await showGroups(store, await store.groups.findBy('userIds', userId));
      if (caller.role === 'ADMIN') return groups;
      // A USER does not see the other members.
      return groups.map((group) => ({
        ...group,
        users: group.users.filter(({ userid }) => userid === userId),
      }));
    },

    create: (form: Form, call: Call<'admin'>): Promise<Group> =>
      inUnit(call, async (nouns) => {
        const content = await groupContent(nouns, form);
        await requireRoomInGroups(nouns, entriesOf(content));
        const record = await nouns.groups.insert({ ...content, createdAt: now(), updatedAt: now() });
        const group = await shown(nouns, record);
        const target = targetOf(record);
        await audit(nouns, call, clock(), { action: 'group.create', target, after: auditable(group) });
        return group;
      }),

    update: (change: Change, call: Call<'admin'>): Promise<Group> =>
      inUnit(call, async (nouns) => {
        const old = await nouns.groups.get(change.groupId);
        if (!old) throw missing();
        // Checked before the content: a caller who edits an old version gets STALE and not BAD_INPUT.
        if (change.version !== undefined && change.version !== old.version) throw new AppError('STALE');
        const before = auditable(await shown(nouns, old));
        const content = await groupContent(nouns, change, old.id);
        await requireRoomInGroups(nouns, entriesOf(content) - entriesOf(old));
        const record = await nouns.groups.patch(old.id, { ...content, updatedAt: now() });
        const group = await shown(nouns, record);
        const target = targetOf(record);
        const fields = changedFields(before, auditable(group));
        await audit(nouns, call, clock(), { action: 'group.update', target, ...fields });
        return group;
      }),

    remove: (id: string, call: Call<'admin'>): Promise<void> =>
      inUnit(call, async (nouns) => {
        const old = await nouns.groups.get(id);
        if (!old) throw missing();
        const before = auditable(await shown(nouns, old));
        await nouns.groups.remove(id);
        await audit(nouns, call, clock(), { action: 'group.remove', target: targetOf(old), before });
      }),
  };
}
