import type { SettingsState } from '@kaptain/contract/settings/generations';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { App, Form } from 'antd';
import { useMemo, useRef } from 'react';
import { useAskToDiscard, useUnsavedGuard } from '../../shared/unsaved-changes.tsx';
import { useWords } from '../../variants/use-variant.ts';
import { settingsDifference } from './changes/settings-difference.ts';
import { firstError, goToField } from './first-error.ts';
import { SectionIndex } from './SectionIndex.tsx';
import styles from './Settings.module.css';
import { SubmitBar } from './SubmitBar.tsx';
import { DatabaseSection } from './sections/DatabaseSection.tsx';
import { DataSourcesSection } from './sections/DataSourcesSection.tsx';
import { LicenseSection } from './sections/LicenseSection.tsx';
import { LoggingSection } from './sections/LoggingSection.tsx';
import { PlatformSection } from './sections/PlatformSection.tsx';
import { SecuritySection } from './sections/SecuritySection.tsx';
import { SystemSection } from './sections/SystemSection.tsx';
import { type SettingsValues, toBody, toForm } from './settings-values.ts';
import type { Apply } from './use-apply.ts';
import { useSave } from './use-save.tsx';
import { FORM, SettingsContext, useTesting } from './use-settings-form.ts';

interface Props {
  info: SettingsInfo;
  /** Null when the service has no calls beyond SPEC. */
  state: SettingsState | null;
  apply: Apply;
  onReload: () => void;
}

/** The whole form, with the settings as they were when it was opened. */
export function SettingsForm({ info, state, apply, onReload }: Props) {
  const words = useWords();
  const [form] = Form.useForm<SettingsValues>();
  const { message } = App.useApp();
  const unsay = useRef<() => void>(undefined);
  const testing = useTesting();
  const askToDiscard = useAskToDiscard();
  const initial = useMemo(() => toForm(info), [info]);
  const before = useMemo(() => toBody(initial, info), [initial, info]);
  const { submit, failure, isSaved } = useSave({ form, info, initial, apply, onReload });

  const countChanges = (values: SettingsValues) =>
    settingsDifference(before, toBody(values, info), words).length +
    Object.keys(values.temporary.newFiles).length +
    (values.temporary.originDraft.trim() === '' ? 0 : 1);
  // No unsaved changes before the form is mounted.
  const changes = Form.useWatch(
    (values: Partial<SettingsValues>) => (values.temporary ? countChanges(values as SettingsValues) : 0),
    { form, preserve: true },
  );
  useUnsavedGuard(() => !isSaved && countChanges(form.getFieldsValue(true) as SettingsValues) > 0);

  return (
    <SettingsContext value={{ info, initial, isOwnService: state !== null, ...testing }}>
      <Form<SettingsValues>
        form={form}
        name={FORM}
        layout="vertical"
        className={styles['page'] ?? ''}
        initialValues={initial}
        onFinish={() => submit(form.getFieldsValue(true) as SettingsValues)}
        onFinishFailed={({ errorFields }) => {
          // Spec 5: the first error message is shown as a toast.
          const first = firstError(errorFields);
          if (!first) return;
          // A new save removes the message of the last one.
          unsay.current?.();
          unsay.current = message.error(first.errors[0]);
          goToField(first.name);
        }}
      >
        <div className={styles['sections']}>
          <SystemSection />
          <SecuritySection />
          <PlatformSection />
          <DatabaseSection isFixed={state?.isDatabaseFixed === true} />
          <DataSourcesSection />
          <LicenseSection license={state?.license} />
          <LoggingSection />
          <SubmitBar
            changes={changes ?? 0}
            failure={failure}
            isBusy={apply.phase !== 'idle'}
            onReset={() => (changes ? askToDiscard(() => form.resetFields()) : form.resetFields())}
          />
        </div>
        <SectionIndex />
      </Form>
    </SettingsContext>
  );
}
