import { App, Form, Select } from 'antd';
import { useApps } from '../../api/logs.ts';
import { useSchedulePreview, useSchedules, useSetSchedule } from '../../api/schedules.ts';
import { FormDialog } from '../../shared/FormDialog.tsx';
import { failureOf } from '../../shared/message-of.ts';
import { ScheduleFields } from '../../shared/schedule/ScheduleFields.tsx';
import { type ScheduleValues, scheduleBody, valuesOf } from '../../shared/schedule/schedule-values.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { ScheduleList } from './ScheduleList.tsx';

interface Values extends ScheduleValues {
  kapsuleId: string;
}

const byLabel = { optionFilterProp: 'label' };

/** Sets the app of a kapsule and the schedule of its reloads. */
export function ScheduleDialog({ dialog }: { dialog: Dialog<'schedule'> }) {
  const { kapsule, platform } = useWords();
  const [form] = Form.useForm<Values>();
  const { message } = App.useApp();
  const { data: schedules = [], isPending } = useSchedules();
  const { data: apps = [] } = useApps();
  const set = useSetSchedule();
  const preview = useSchedulePreview();

  const choose = (kapsuleId: string) => {
    const stored = schedules.find((schedule) => schedule.kapsuleId === kapsuleId);
    form.setFieldsValue({ kapsuleId, ...valuesOf(stored) });
  };

  return (
    <FormDialog<Values>
      title="Schedule Reloads"
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={valuesOf(undefined)}
      isSaving={set.isPending}
      failure={failureOf(set.error)}
      onSave={() => {
        // Also those of fields that are not shown for this choice.
        const values = form.getFieldsValue(true) as Values;
        set.mutate(
          { kapsuleId: values.kapsuleId, ...scheduleBody(values) },
          {
            onSuccess: ({ kapsulename }) => {
              dialog.close();
              void message.success(`The schedule of ${kapsulename} is saved.`);
            },
          },
        );
      }}
    >
      <ScheduleList schedules={schedules} onChoose={choose} />
      <Form.Item<Values>
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
      </Form.Item>
      <ScheduleFields
        apps={apps}
        appHint={`The app in ${platform} that loads this ${kapsule.one}, as its address shows it.`}
        {...preview}
      />
    </FormDialog>
  );
}
