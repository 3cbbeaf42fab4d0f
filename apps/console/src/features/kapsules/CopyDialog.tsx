import type { Kapsule } from '@kaptain/contract/kapsules';
import { Form } from 'antd';
import { useCopiedKapsule } from '../../api/use-copied-kapsule.ts';
import type { KapsuleValues } from '../../shared/kapsule-form/kapsule-values.ts';
import { NewKapsuleDialog } from '../../shared/kapsule-form/NewKapsuleDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';

/** `dialog` is about a kapsule with its fields. */
export function CopyDialog({ dialog, kapsule }: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) {
  const [form] = Form.useForm<KapsuleValues>();
  return (
    <NewKapsuleDialog
      {...useCopiedKapsule(kapsule)}
      title={`Copy ${kapsule.name}`}
      dialog={dialog}
      form={form}
    />
  );
}
