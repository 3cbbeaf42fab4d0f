import type { Kapsule, KapsuleOverview } from '@kaptain/contract/kapsules';
import { App, Form } from 'antd';
import { useApps } from '../../../api/logs.ts';
import { useSchedulePreview, useSetSchedule } from '../../../api/schedules.ts';
import { FormDialog } from '../../../shared/FormDialog.tsx';
import { failureOf } from '../../../shared/message-of.ts';
import { ScheduleFields } from '../../../shared/schedule/ScheduleFields.tsx';
import { type ScheduleValues, scheduleBody, valuesOf } from '../../../shared/schedule/schedule-values.ts';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';

interface Props {
  dialog: Dialog<KapsuleOverview>;
  kapsule: Kapsule;
  overview: KapsuleOverview;
}

/** Sets the app of this kapsule and the schedule of its reloads. */
export function HubScheduleDialog({ dialog, kapsule, overview }: Props) {
  const words = useWords();
  const { message } = App.useApp();
  const [form] = Form.useForm<ScheduleValues>();
  const { data: apps = [] } = useApps();
  const set = useSetSchedule();
  const preview = useSchedulePreview();
  return (
    <FormDialog<ScheduleValues>
      title={`Reloads of ${kapsule.name}`}
      okText="Save"
      form={form}
      dialog={dialog}
      initialValues={valuesOf({ ...overview.schedule, appId: overview.appId })}
      isSaving={set.isPending}
      failure={failureOf(set.error)}
      onSave={() => {
        // Also the values of fields that are not shown for this choice.
        const values = form.getFieldsValue(true) as ScheduleValues;
        set.mutate(
          { kapsuleId: kapsule._id, ...scheduleBody(values) },
          {
            onSuccess: ({ kapsulename }) => {
              dialog.close();
              void message.success(`The schedule of ${kapsulename} is saved.`);
            },
          },
        );
      }}
    >
      <ScheduleFields
        apps={apps}
        appHint={`The app in ${words.platform} that loads this ${words.kapsule.one}, as its address shows it.`}
        {...preview}
      />
    </FormDialog>
  );
}
