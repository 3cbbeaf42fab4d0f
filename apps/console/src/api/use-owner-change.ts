import type { Kapsule } from '@kaptain/contract/kapsules';
import { useChangeOwner } from './kapsules.ts';
import { useUsers } from './users.ts';

/** What the dialog for another owner of a kapsule needs; `onDone` gets the name of the new owner. */
export function useOwnerChange({ _id }: Pick<Kapsule, '_id'>, onDone: (username: string) => void) {
  const { data: users } = useUsers();
  const change = useChangeOwner();
  return {
    users,
    isSaving: change.isPending,
    failure: change.error?.message,
    onSave: ({ userId, username }: { userId: string; username: string }) =>
      change.mutate({ kapsuleIds: [_id], userId }, { onSuccess: () => onDone(username) }),
  };
}
