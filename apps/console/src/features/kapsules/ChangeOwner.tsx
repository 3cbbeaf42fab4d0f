import type { Kapsule } from '@kaptain/contract/kapsules';
import { useOwnerChange } from '../../api/use-owner-change.ts';
import { OwnerDialog } from '../../shared/OwnerDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';

export const ChangeOwner = (props: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) => (
  <OwnerDialog {...props} {...useOwnerChange(props.kapsule)} />
);
