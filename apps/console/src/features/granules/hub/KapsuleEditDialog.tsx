import type { Kapsule } from '@kaptain/contract/kapsules';
import { App, Form } from 'antd';
import { useUpdateKapsule } from '../../../api/kapsules.ts';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { KapsuleFormFields } from '../../../shared/kapsule-form/KapsuleFormFields.tsx';
import { changeOf, type KapsuleValues, valuesOf } from '../../../shared/kapsule-form/kapsule-values.ts';
import { failureOf } from '../../../shared/message-of.ts';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';

/** Changes name, key and fields of a kapsule. A version that another user has replaced meanwhile is refused. */
export function KapsuleEditDialog({ dialog, kapsule }: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) {
  const words = useWords();
  const { message } = App.useApp();
  const [form] = Form.useForm<KapsuleValues>();
  const update = useUpdateKapsule();
  return (
    <FormDialog<KapsuleValues>
      title={`Edit ${words.kapsule.one} ${kapsule.name}`}
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={valuesOf(kapsule)}
      isSaving={update.isPending}
      failure={failureOf(update.error)}
      onSave={(values) =>
        update.mutate(
          { kapsule, change: changeOf({ ...valuesOf(kapsule), ...values }) },
          {
            onSuccess: ({ name }) => {
              dialog.close();
              void message.success(`${name} is saved.`);
            },
          },
        )
      }
    >
      <KapsuleFormFields storedFields={kapsule.fields.length} />
    </FormDialog>
  );
}
