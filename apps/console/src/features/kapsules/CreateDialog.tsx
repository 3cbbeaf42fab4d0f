import { useNewKapsule } from '../../api/use-new-kapsule.ts';
import { newKapsule } from '../../shared/kapsule-form/kapsule-values.ts';
import { NewKapsuleDialog } from '../../shared/kapsule-form/NewKapsuleDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';

export function CreateDialog({ dialog }: { dialog: Dialog<true> }) {
  const { kapsule } = useWords();
  return (
    <NewKapsuleDialog
      title={`Create ${kapsule.one}`}
      dialog={dialog}
      initialValues={newKapsule}
      {...useNewKapsule()}
    />
  );
}
