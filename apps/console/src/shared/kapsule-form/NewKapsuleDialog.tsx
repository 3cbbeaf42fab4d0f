import type { Kapsule } from '@kaptain/contract/kapsules';
import { App, Form } from 'antd';
import { useNavigate } from 'react-router';
import { FormDialog } from '../FormDialog.tsx';
import type { Dialog } from '../use-dialog.ts';
import type { ChoiceSources } from './choice-sources.ts';
import { KapsuleFormFields } from './KapsuleFormFields.tsx';
import { type KapsuleValues, newKapsule, structureOf } from './kapsule-values.ts';

interface Props {
  title: string;
  dialog: Pick<Dialog<unknown>, 'isOpen' | 'close' | 'forget'>;
  /** Undefined while they are loading. */
  initialValues: KapsuleValues | undefined;
  databases: readonly string[];
  sources: ChoiceSources;
  isSaving: boolean;
  failure: string | undefined;
  onSave: (structure: ReturnType<typeof structureOf>, onSuccess: (made: Kapsule) => void) => void;
}

/** Creates a kapsule, then shows it. */
export function NewKapsuleDialog(props: Props) {
  const { title, dialog, initialValues, databases, sources, isSaving, failure, onSave } = props;
  const { message } = App.useApp();
  const navigate = useNavigate();
  const [form] = Form.useForm<KapsuleValues>();

  if (!initialValues) return null;
  return (
    <FormDialog<KapsuleValues>
      title={title}
      okText="Create"
      form={form}
      dialog={dialog}
      width={720}
      initialValues={initialValues}
      isSaving={isSaving}
      failure={failure}
      onSave={() =>
        // With the rules that are not open, which have no control in the form.
        onSave(
          structureOf({ ...newKapsule, ...(form.getFieldsValue(true) as KapsuleValues) }),
          ({ _id, name }) => {
            dialog.close();
            // Nothing is unsaved any more, so that leaving the page asks no question.
            form.resetFields();
            void message.success(`${name} is created.`);
            void navigate(`/data/kapsules/${encodeURIComponent(_id)}`);
          },
        )
      }
    >
      <KapsuleFormFields databases={databases} sources={sources} />
    </FormDialog>
  );
}
