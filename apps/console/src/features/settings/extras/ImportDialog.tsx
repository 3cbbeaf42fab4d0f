import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { Alert, Button, Input, Modal } from 'antd';
import { useState } from 'react';
import { type Transfer, useImportSettings, usePreviewImport } from '../../../api/settings.ts';
import { ChosenFiles } from '../../../shared/ChosenFiles.tsx';
import { FileDrop } from '../../../shared/FileDrop.tsx';
import { messageOf } from '../../../shared/message-of.ts';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { httpsAfter } from '../changes/labelled-differences.ts';
import type { Apply } from '../use-apply.ts';
import styles from './Extras.module.css';
import { ImportPreview } from './ImportPreview.tsx';
import { Refusal } from './Refusal.tsx';
import { readConfiguration } from './read-configuration.ts';

interface Props {
  dialog: Dialog<true>;
  info: SettingsInfo;
  apply: Apply;
  onReload: () => void;
}

/** Imports a configuration after showing its difference to the present one. */
export function ImportDialog({ dialog, info, apply, onReload }: Props) {
  const [chosen, setChosen] = useState<File[]>([]);
  const [configuration, setConfiguration] = useState<Transfer['file']>();
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();
  const preview = usePreviewImport();
  const store = useImportSettings(info);

  const choose = async ([file]: File[]) => {
    // Its reset would drop what follows the stored settings: the restart.
    if (store.isPending) return;
    setChosen(file ? [file] : []);
    setConfiguration(undefined);
    setProblem(undefined);
    preview.reset();
    store.reset();
    if (!file) return;
    try {
      setConfiguration(await readConfiguration(file));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const transfer = (): Transfer | undefined =>
    configuration && { file: configuration, ...(passphrase !== '' && { passphrase }) };
  const compare = () => {
    const body = transfer();
    if (body) preview.mutate(body);
  };
  // Closed earlier, the dialog would not see that the settings are stored, and nothing would restart the service.
  const close = () => {
    if (!store.isPending) dialog.close();
  };
  const takeOver = () => {
    const body = transfer();
    if (!body) return;
    const https = httpsAfter(preview.data?.differences ?? []) ?? info.settings['https'] === true;
    store.mutate(body, {
      onSuccess: () => {
        dialog.close();
        void apply.run(https);
      },
    });
  };

  return (
    <Modal
      open={dialog.isOpen}
      title="Import a configuration"
      width={640}
      mask={{ closable: false }}
      onCancel={close}
      afterClose={dialog.forget}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          {preview.data ? (
            <Button type="primary" loading={store.isPending} onClick={takeOver}>
              Import and restart
            </Button>
          ) : (
            <Button type="primary" disabled={!configuration} loading={preview.isPending} onClick={compare}>
              Compare
            </Button>
          )}
        </>
      }
    >
      <div className={styles['stack']}>
        <Refusal error={store.error} onReload={onReload} />
        <FileDrop
          ending=".json"
          max={1}
          label="Drop an exported configuration here, or click to choose it"
          hint="Nothing changes before you have seen the difference."
          files={chosen}
          onChange={(files) => void choose(files)}
        />
        <ChosenFiles files={chosen} onRemove={() => void choose([])} />
        {(problem ?? preview.error) && (
          <Alert type="error" showIcon title={problem ?? messageOf(preview.error)} />
        )}
        {configuration?.sealed && (
          <label className={styles['passphrase']}>
            Passphrase of the export
            <Input.Password
              autoComplete="off"
              value={passphrase}
              onChange={({ target }) => {
                setPassphrase(target.value);
                preview.reset();
              }}
              onPressEnter={compare}
            />
            <small>Empty to leave its passwords and certificates out.</small>
          </label>
        )}
        {preview.data && <ImportPreview preview={preview.data} />}
      </div>
    </Modal>
  );
}
