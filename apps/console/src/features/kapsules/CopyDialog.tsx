import type { Kapsule } from '@kaptain/contract/kapsules';
import { useCopiedKapsule } from '../../api/use-copied-kapsule.ts';
import { NewKapsuleDialog } from '../../shared/kapsule-form/NewKapsuleDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';

/** `dialog` is about a kapsule with its fields. */
export const CopyDialog = ({ dialog, kapsule }: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) => (
  <NewKapsuleDialog {...useCopiedKapsule(kapsule)} title={`Copy ${kapsule.name}`} dialog={dialog} />
);
