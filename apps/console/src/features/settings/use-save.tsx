import { ApiError } from '@kaptain/contract/client';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { App, type FormInstance } from 'antd';
import { useState } from 'react';
import { type SettingsBody, useSaveSettings } from '../../api/settings.ts';
import { isSessionEnd, messageOf } from '../../shared/message-of.ts';
import { useWords } from '../../variants/use-variant.ts';
import { failingField } from './changes/failing-field.ts';
import { SaveQuestion } from './changes/SaveQuestion.tsx';
import { settingsDifference } from './changes/settings-difference.ts';
import { goToField } from './first-error.ts';
import { type Block, blockOf } from './paths.ts';
import { type SettingsValues, toBody } from './settings-values.ts';
import type { Apply } from './use-apply.ts';

interface Options {
  form: FormInstance<SettingsValues>;
  info: SettingsInfo;
  initial: SettingsValues;
  apply: Apply;
  /** Loads the saved settings and discards the entered values. */
  onReload: () => void;
}

/** Spec 4: saving asks for confirmation; then the service restarts and the page is reloaded. */
export function useSave({ form, info, initial, apply, onReload }: Options) {
  const words = useWords();
  const { modal, message } = App.useApp();
  const save = useSaveSettings(info);
  const [failure, setFailure] = useState<string>();

  const refused = (error: unknown, before: Block, after: Block) => {
    if (isSessionEnd(error)) return undefined;
    void message.error('Error saving!');
    if (error instanceof ApiError && error.status === 412) {
      modal.confirm({
        title: 'The settings have changed meanwhile',
        content:
          'They were saved after you opened this page. Load them and make your changes again, or keep yours on the screen to compare.',
        okText: 'Load the new settings',
        cancelText: 'Keep editing',
        focusable: { autoFocusButton: 'cancel' },
        onOk: onReload,
      });
      return undefined;
    }
    const text = messageOf(error);
    setFailure(text);
    const path = failingField(error, before, after);
    if (path) form.setFields([{ name: path, errors: [text] }]);
    return path;
  };

  const submit = (values: SettingsValues) => {
    setFailure(undefined);
    const before = toBody(initial, info);
    const body = toBody(values, info);
    let failing: readonly string[] | undefined;
    modal.confirm({
      title: 'Are you sure to save the settings?',
      content: (
        <SaveQuestion
          changes={settingsDifference(before, body, words)}
          newFiles={Object.keys(values.temporary.newFiles)}
          https={[blockOf(before['settings'])['https'] === true, values.settings['https'] === true]}
        />
      ),
      width: 640,
      okText: 'Yes',
      cancelText: 'Cancel',
      // After the dialog has closed: closing it returns the focus to the element before.
      afterClose: () => failing && goToField(failing),
      onOk: async () => {
        try {
          await save.mutateAsync(body as SettingsBody);
        } catch (error) {
          failing = refused(error, before, body);
          return;
        }
        void apply.run(values.settings['https'] === true);
      },
    });
  };
  return { submit, failure, isSaved: save.isSuccess };
}
