import type { Kapsule } from '@kaptain/contract/kapsules';
import { failureOf } from '../shared/message-of.ts';
import { useChangeOwner } from './kapsules.ts';
import { useUsers } from './users.ts';

/** The data and actions of the dialog that gives a kapsule another owner. */
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
