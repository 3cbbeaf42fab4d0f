import { DEFAULT_DATABASE } from '@kaptain/contract/vocabulary';
import { App, Form } from 'antd';
import { useNavigate } from 'react-router';
import { useChoiceSources } from '../../api/choice-sources.ts';
import { useCreateKapsule, useKapsules } from '../../api/kapsules.ts';
import { useConfiguredSources } from '../../api/settings.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { KapsuleFormFields } from '../../shared/kapsule-form/KapsuleFormFields.tsx';
import { type KapsuleValues, newKapsule, structureOf } from '../../shared/kapsule-form/kapsule-values.ts';
import { failureOf } from '../../shared/message-of.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';

/** Creates a kapsule, then shows it. */
export function CreateDialog({ dialog }: { dialog: Dialog<true> }) {
  const { kapsule } = useWords();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const [form] = Form.useForm<KapsuleValues>();
  const create = useCreateKapsule();
  const { data: known = [] } = useKapsules();
  // A USER does not know the settings, but the databases of the kapsules they see.
  const sources = useConfiguredSources() ?? known.map(({ database }) => database);
  const databases = [...new Set([DEFAULT_DATABASE, ...sources])];

  return (
    <FormDialog<KapsuleValues>
      title={`Create ${kapsule.one}`}
      okText="Create"
      form={form}
      dialog={dialog}
      width={720}
      initialValues={newKapsule}
      isSaving={create.isPending}
      failure={failureOf(create.error)}
      onSave={() =>
        // With the rules that are not open, which have no control in the form.
        create.mutate(structureOf({ ...newKapsule, ...(form.getFieldsValue(true) as KapsuleValues) }), {
          onSuccess: ({ _id, name }) => {
            dialog.close();
            // Nothing is unsaved any more, so that leaving the page asks no question.
            form.resetFields();
            void message.success(`${name} is created.`);
            void navigate(`/data/kapsules/${encodeURIComponent(_id)}`);
          },
        })
      }
    >
      <KapsuleFormFields databases={databases} sources={useChoiceSources()} />
    </FormDialog>
  );
}
