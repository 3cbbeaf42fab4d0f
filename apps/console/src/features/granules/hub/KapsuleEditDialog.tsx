import type { Kapsule } from '@kaptain/contract/kapsules';
import { App, Form } from 'antd';
import { useChoiceSources } from '../../../api/choice-sources.ts';
import { useUpdateKapsule } from '../../../api/kapsules.ts';
import { useCheckFields } from '../../../api/misfits.ts';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { KapsuleFormFields } from '../../../shared/kapsule-form/KapsuleFormFields.tsx';
import { changeOf, type KapsuleValues, valuesOf } from '../../../shared/kapsule-form/kapsule-values.ts';
import { failureOf, isSessionEnd, messageOf } from '../../../shared/message-of.ts';
import { type Dialog, useDialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { CheckDialog } from './CheckDialog.tsx';
import type { Change, Checked } from './checked-change.ts';

/** Changes name, key, fields and rules of a kapsule. A version that another user has replaced meanwhile is refused. */
export function KapsuleEditDialog({ dialog, kapsule }: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) {
  const words = useWords();
  const { message } = App.useApp();
  const [form] = Form.useForm<KapsuleValues>();
  const update = useUpdateKapsule();
  const check = useCheckFields(kapsule._id);
  const checked = useDialog<Checked>();
  const sources = useChoiceSources();
  // With the rules that are not open, which have no control in the form.
  const allValues = (): KapsuleValues => form.getFieldsValue(true);
  const before = JSON.stringify(changeOf(valuesOf(kapsule)).fields);

  const save = (change: Change) => {
    checked.close();
    update.mutate(
      { kapsule, change },
      {
        onSuccess: ({ name }) => {
          dialog.close();
          void message.success(`${name} is saved.`);
        },
      },
    );
  };
  /** Tells which stored values break rules that are new, before they are saved. */
  const checkAndSave = async (change: Change) => {
    if (JSON.stringify(change.fields) === before) return save(change);
    try {
      const found = await check.mutateAsync(change.fields);
      if (found && found.count > 0) checked.open({ change, found });
      else save(change);
    } catch (error) {
      if (!isSessionEnd(error)) checked.open({ change, found: { failure: messageOf(error) } });
    }
  };

  return (
    <FormDialog<KapsuleValues>
      title={`Edit ${words.kapsule.one} ${kapsule.name}`}
      okText="Save"
      form={form}
      dialog={dialog}
      width={720}
      initialValues={valuesOf(kapsule)}
      isSaving={check.isPending || update.isPending}
      failure={failureOf(update.error)}
      onSave={() => void checkAndSave(changeOf({ ...valuesOf(kapsule), ...allValues() }))}
    >
      <KapsuleFormFields storedFields={kapsule.fields.length} sources={sources} />
      {checked.about && <CheckDialog dialog={checked} checked={checked.about} onSave={save} />}
    </FormDialog>
  );
}
