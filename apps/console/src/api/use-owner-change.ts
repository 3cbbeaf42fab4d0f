import type { Kapsule } from '@kaptain/contract/kapsules';
import { failureOf } from '../shared/message-of.ts';
import { useChangeOwner } from './kapsules.ts';
import { useUsers } from './users.ts';

/** What the dialog for another owner of a kapsule needs. */
export function useOwnerChange({ _id }: Pick<Kapsule, '_id'>) {
  const { data: users } = useUsers();
  const change = useChangeOwner();
  return {
    users,
    isSaving: change.isPending,
    failure: failureOf(change.error),
    onSave: (userId: string, onSuccess: () => void) =>
      change.mutate({ kapsuleIds: [_id], userId }, { onSuccess }),
  };
}
