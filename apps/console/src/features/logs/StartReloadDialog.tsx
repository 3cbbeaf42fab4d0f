import { App, Checkbox, Form, Select } from 'antd';
import { useKapsules } from '../../api/kapsules.ts';
import { useStartJob } from '../../api/logs.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { AppIdInput } from './AppIdInput.tsx';
import { appIdRules } from './app-id-rules.ts';

interface Values {
  kapsuleId?: string;
  appId: string;
  partial: boolean;
}

const Field = Form.Item<Values>;
const byLabel = { optionFilterProp: 'label' };

export function StartReloadDialog({ dialog }: { dialog: Dialog<'start'> }) {
  const { kapsule, granule, platform } = useWords();
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const start = useStartJob();
  const kapsules = useKapsules();

  const takeAppOf = (id: string | undefined) => {
    const appId = kapsules.data?.find(({ _id }) => _id === id)?.appId;
    if (appId) form.setFieldValue('appId', appId);
  };

  return (
    <FormDialog<Values>
      title="Start Reload"
      okText="Start"
      form={form}
      dialog={dialog}
      initialValues={{ appId: '', partial: false }}
      isSaving={start.isPending}
      failure={start.isError ? start.error.message : undefined}
      onSave={({ appId, kapsuleId, partial }) =>
        start.mutate(
          { appId: appId.trim(), partial, ...(kapsuleId && { kapsuleId }) },
          {
            onSuccess: ({ name }) => {
              dialog.close();
              void message.success(`${name} is queued.`);
            },
          },
        )
      }
    >
      <Field
        name="kapsuleId"
        label={kapsule.One}
        extra={`When the reload succeeds, the ${granule.many} of this ${kapsule.one} become reloaded.`}
      >
        <Select
          allowClear
          showSearch={byLabel}
          loading={kapsules.isPending}
          options={(kapsules.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          onChange={takeAppOf}
        />
      </Field>
      <Field
        name="appId"
        label="App ID"
        rules={appIdRules(true)}
        extra={`The app in ${platform}, as its address shows it.`}
      >
        <AppIdInput />
      </Field>
      <Field name="partial" valuePropName="checked">
        <Checkbox>Partial reload: only what the script marks for it</Checkbox>
      </Field>
    </FormDialog>
  );
}
