import { Checkbox, Form, Input, Select } from 'antd';
import { AppIdInput } from './AppIdInput.tsx';
import { appIdRules } from './app-id-rules.ts';
import styles from './Schedule.module.css';
import { SchedulePreview } from './SchedulePreview.tsx';
import { cronOf, LAST_DAY, type Repeat, timeZones, weekdays } from './schedule-plan.ts';
import type { PreviewProps, ScheduleValues } from './schedule-values.ts';

interface Props extends PreviewProps {
  /** The apps of the platform, while it answers. */
  apps: readonly { id: string; name: string }[];
  /** Explains the app. */
  appHint: string;
}

const Field = Form.Item<ScheduleValues>;
const searchable = { optionFilterProp: 'label' } as const;
const choices: { value: Repeat; label: string }[] = [
  { value: 'none', label: 'No schedule' },
  { value: 'quarter', label: 'Every 15 minutes' },
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'weekdays', label: 'Monday to Friday' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
  { value: 'custom', label: 'Custom (cron expression)' },
];
const days = weekdays.map((label, value) => ({ value, label }));
const daysOfMonth = Array.from({ length: LAST_DAY }, (_, index) => ({
  value: index + 1,
  label: `Day ${index + 1}`,
}));
const required = [{ required: true, message: 'This is required!' }];

/** The app of a kapsule, and when it is reloaded. */
export function ScheduleFields({ apps, appHint, preview, onPreview }: Props) {
  const form = Form.useFormInstance<ScheduleValues>();
  // Also the values of fields that are not shown for this choice.
  const plan = Form.useWatch((values: ScheduleValues) => values, { form, preserve: true }) as
    | ScheduleValues
    | undefined;
  const repeat = plan?.repeat ?? 'none';
  const isScheduled = repeat !== 'none';
  const hasTime = ['hour', 'day', 'weekdays', 'week', 'month'].includes(repeat);
  return (
    <>
      <Field name="appId" label="App ID" rules={appIdRules(isScheduled)} extra={appHint}>
        <AppIdInput apps={apps} />
      </Field>
      <Field name="repeat" label="When">
        <Select options={choices} />
      </Field>
      {isScheduled && (
        <div className={styles['row']}>
          {repeat === 'week' && (
            <Field name="weekday" label="Day of the week">
              <Select options={days} />
            </Field>
          )}
          {repeat === 'month' && (
            <Field name="day" label="Day of the month">
              <Select options={daysOfMonth} />
            </Field>
          )}
          {hasTime && (
            <Field
              name="time"
              label={repeat === 'hour' ? 'Minute of the hour' : 'Time'}
              rules={required}
              {...(repeat === 'hour' && { extra: 'Only the minutes of this time count.' })}
            >
              <Input type="time" />
            </Field>
          )}
          {repeat === 'custom' && (
            <Field
              name="cron"
              label="Cron expression"
              rules={required}
              extra="Minute, hour, day of month, month, day of week, e.g. 30 5 * * 1-5."
            >
              <Input autoComplete="off" spellCheck={false} maxLength={100} />
            </Field>
          )}
          <Field name="timeZone" label="Time zone">
            <Select
              showSearch={searchable}
              options={timeZones().map((zone) => ({ value: zone, label: zone }))}
            />
          </Field>
        </div>
      )}
      {plan && isScheduled && (
        <SchedulePreview
          cron={cronOf(plan)}
          timeZone={plan.timeZone}
          isPaused={plan.isPaused}
          preview={preview}
          onPreview={onPreview}
        />
      )}
      <Field name="partial" valuePropName="checked">
        <Checkbox>Partial reload: only what the script marks for it</Checkbox>
      </Field>
      {isScheduled && (
        <Field name="isPaused" valuePropName="checked">
          <Checkbox>Pause: keep the schedule, but start no reload</Checkbox>
        </Field>
      )}
    </>
  );
}
