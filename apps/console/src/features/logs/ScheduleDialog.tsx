import { App, Checkbox, Form, Input, Select } from 'antd';
import { useSchedules, useSetSchedule } from '../../api/schedules.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { AppIdInput } from './AppIdInput.tsx';
import { appIdRules } from './app-id-rules.ts';
import { ScheduleList } from './ScheduleList.tsx';

interface Values {
  kapsuleId: string;
  appId: string;
  cron: string;
  partial: boolean;
}

const Field = Form.Item<Values>;
const byLabel = { optionFilterProp: 'label' };

/** Sets the app of a kapsule and the schedule of its reloads. */
export function ScheduleDialog({ dialog }: { dialog: Dialog<'schedule'> }) {
  const { kapsule, platform } = useWords();
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const { data: schedules = [], isPending } = useSchedules();
  const set = useSetSchedule();
  const cron = Form.useWatch('cron', form);

  const choose = (kapsuleId: string) => {
    const known = schedules.find((schedule) => schedule.kapsuleId === kapsuleId);
    form.setFieldsValue({
      kapsuleId,
      appId: known?.appId ?? '',
      cron: known?.cron ?? '',
      partial: known?.partial ?? false,
    });
  };

  return (
    <FormDialog<Values>
      title="Schedule Reloads"
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={{ appId: '', cron: '', partial: false }}
      isSaving={set.isPending}
      failure={set.isError ? set.error.message : undefined}
      onSave={({ kapsuleId, appId, partial, ...rest }) =>
        set.mutate(
          { kapsuleId, appId: appId.trim() || null, cron: rest.cron.trim() || null, partial },
          {
            onSuccess: ({ kapsulename }) => {
              dialog.close();
              void message.success(`The schedule of ${kapsulename} is saved.`);
            },
          },
        )
      }
    >
      <ScheduleList schedules={schedules} onChoose={choose} />
      <Field
        name="kapsuleId"
        label={kapsule.One}
        rules={[{ required: true, message: `${kapsule.One} is required!` }]}
      >
        <Select
          showSearch={byLabel}
          loading={isPending}
          options={schedules.map(({ kapsuleId, kapsulename }) => ({ value: kapsuleId, label: kapsulename }))}
          onChange={choose}
        />
      </Field>
      <Field
        name="appId"
        label="App ID"
        rules={appIdRules(Boolean(cron?.trim()))}
        extra={`The app in ${platform} that loads this ${kapsule.one}, as its address shows it.`}
      >
        <AppIdInput />
      </Field>
      <Field
        name="cron"
        label="When"
        extra="Minute, hour, day of month, month and day of week in UTC, e.g. 30 5 * * 1-5 for 5:30 on weekdays. Empty for no schedule."
      >
        <Input autoComplete="off" spellCheck={false} maxLength={100} />
      </Field>
      <Field name="partial" valuePropName="checked">
        <Checkbox>Partial reload: only what the script marks for it</Checkbox>
      </Field>
    </FormDialog>
  );
}
