import type { Kapsule } from '@kaptain/contract/kapsules';
import { App } from 'antd';
import { useOwnerChange } from '../../api/use-owner-change.ts';
import { OwnerDialog } from '../../shared/OwnerDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';

/** Gives a kapsule another owner. */
export function ChangeOwner({ dialog, kapsule }: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) {
  const { message } = App.useApp();
  const change = useOwnerChange(kapsule, (username) => {
    dialog.close();
    void message.success(`${kapsule.name} belongs to ${username} now.`);
  });
  return <OwnerDialog dialog={dialog} kapsule={kapsule} {...change} />;
}
