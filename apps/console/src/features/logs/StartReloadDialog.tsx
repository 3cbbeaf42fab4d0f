import { App, Checkbox, Form, Select } from 'antd';
import { useKapsules } from '../../api/kapsules.ts';
import { useApps, useStartJob } from '../../api/logs.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { failureOf } from '../../shared/message-of.ts';
import { AppIdInput } from '../../shared/schedule/AppIdInput.tsx';
import { appIdRules } from '../../shared/schedule/app-id-rules.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';

interface Values {
  kapsuleId?: string;
  appId: string;
  partial: boolean;
}

const Field = Form.Item<Values>;
const missingApp = (name: string) => `${name} has no app yet: set it under Schedules.`;
const byLabel = { optionFilterProp: 'label' };

export function StartReloadDialog({ dialog }: { dialog: Dialog<'start'> }) {
  const { kapsule, granule, platform } = useWords();
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const start = useStartJob();
  const kapsules = useKapsules();
  const { data: apps = [] } = useApps();

  const chosenId = Form.useWatch('kapsuleId', form);
  const find = (id: string | undefined) => kapsules.data?.find(({ _id }) => _id === id);
  const chosen = find(chosenId);
  const isPartial = Form.useWatch('partial', form);

  /** Sets the app of the chosen kapsule, so that the app of another one never stays in the field. */
  const takeAppOf = (id: string | undefined) => {
    const { appId = '', name } = find(id) ?? {};
    form.setFields([{ name: 'appId', value: appId, errors: name && !appId ? [missingApp(name)] : [] }]);
  };
  const reloaded = isPartial ? chosen?.name : `every ${kapsule.one} with this app`;
  const effect = reloaded
    ? `When the reload succeeds, the ${granule.many} of ${reloaded} become reloaded.`
    : `A partial reload without a ${kapsule.one} makes no ${granule.many} reloaded.`;

  return (
    <FormDialog<Values>
      title="Start Reload"
      okText="Start"
      form={form}
      dialog={dialog}
      initialValues={{ appId: '', partial: false }}
      isSaving={start.isPending}
      failure={failureOf(start.error)}
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
        extra="Its app is reloaded. Leave it empty to name an app yourself."
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
        rules={chosen ? [{ required: true, message: missingApp(chosen.name) }] : appIdRules(true)}
        extra={`The app in ${platform}, as its address shows it.`}
      >
        <AppIdInput apps={apps} disabled={chosen !== undefined} />
      </Field>
      <Field name="partial" valuePropName="checked" extra={effect}>
        <Checkbox>Partial reload: only what the script marks for it</Checkbox>
      </Field>
    </FormDialog>
  );
}
