import type { Generation } from '@kaptain/contract/settings/generations';
import type { SettingsInfo } from '@kaptain/contract/settings/settings';
import { Modal, Skeleton } from 'antd';
import { useGenerationDifference, useReturnTo } from '../../../api/settings.ts';
import { ErrorPanel } from '../../../shared/ErrorPanel.tsx';
import { TimeText } from '../../../shared/TimeText.tsx';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { ChangesTable } from '../changes/ChangesTable.tsx';
import { httpsAfter, labelledDifferences } from '../changes/labelled-differences.ts';
import styles from './Extras.module.css';
import { Refusal } from './Refusal.tsx';

interface Props {
  dialog: Dialog<Generation>;
  about: Generation;
  info: SettingsInfo;
  onReload: () => void;
  /** Called after the earlier settings are saved as new ones, with whether they use https. */
  onStored: (https: boolean) => void;
}

/** Shows the changes of a return to earlier settings, and saves them after a confirmation. */
export function ReturnDialog({ dialog, about, info, onReload, onStored }: Props) {
  const words = useWords();
  const difference = useGenerationDifference(about.generation);
  const back = useReturnTo(info);
  const changes = difference.data ?? [];

  return (
    <Modal
      open={dialog.isOpen}
      title={`Are you sure to return to version ${about.generation}?`}
      okText="Yes"
      cancelText="Cancel"
      width={640}
      confirmLoading={back.isPending}
      okButtonProps={{ disabled: !difference.isSuccess }}
      onCancel={dialog.close}
      afterClose={dialog.forget}
      onOk={() =>
        back.mutate(about.generation, {
          onSuccess: () => {
            dialog.close();
            onStored(httpsAfter(changes) ?? info.settings['https'] === true);
          },
        })
      }
    >
      <div className={styles['stack']}>
        <Refusal error={back.error} onReload={onReload} />
        <p>
          The settings saved by {about.by ?? 'the host'} at <TimeText value={about.at} /> are checked, saved
          as a new version, passwords and certificates included, and {words.service} restarts. Nothing of the
          history is lost.
        </p>
        {difference.isPending && <Skeleton active title={false} aria-busy="true" />}
        {difference.isError && (
          <ErrorPanel
            title="The difference could not be loaded"
            error={difference.error}
            onRetry={() => void difference.refetch()}
          />
        )}
        {difference.isSuccess && <ChangesTable changes={labelledDifferences(changes, words)} />}
      </div>
    </Modal>
  );
}
