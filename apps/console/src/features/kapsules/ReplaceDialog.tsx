import type { KapFile, Kapsule } from '@kaptain/contract/kapsules';
import { Alert, App, Modal } from 'antd';
import { useState } from 'react';
import { useReplaceKapsule, useWithFields } from '../../api/kapsules.ts';
import { ChosenFiles } from '../../shared/ChosenFiles.tsx';
import { FileDrop } from '../../shared/FileDrop.tsx';
import { messageOf } from '../../shared/message-of.ts';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { importMessage } from './import-message.ts';
import { readKap } from './read-kap.ts';
import styles from './StructureDifference.module.css';
import { StructureDifference } from './StructureDifference.tsx';
import { structureDifference } from './structure-difference.ts';

interface Chosen {
  file: File;
  /** What the file has, or the reason why it can't be read. */
  content: KapFile | string;
}

/** Replaces the structure of one kapsule after showing the difference. */
export function ReplaceDialog({ dialog, kapsule }: { dialog: Dialog<Kapsule>; kapsule: Kapsule }) {
  const words = useWords();
  const { message } = App.useApp();
  const replacing = useReplaceKapsule();
  const { whole } = useWithFields(kapsule);
  const [chosen, setChosen] = useState<Chosen>();

  const replace = async ({ file }: Chosen) => {
    try {
      await replacing.mutateAsync({ kapsule, file });
      void message.success(importMessage({ file: file.name }));
      dialog.close();
    } catch (error) {
      void message.error(importMessage({ file: file.name, failure: messageOf(error) }), 8);
    }
  };

  return (
    <Modal
      open={dialog.isOpen}
      title={`Replace the structure of ${kapsule.name}?`}
      okText="Replace"
      okButtonProps={{ danger: true, disabled: !chosen }}
      confirmLoading={replacing.isPending}
      onOk={() => chosen && void replace(chosen)}
      onCancel={() => {
        if (!replacing.isPending) dialog.close();
      }}
      afterClose={dialog.forget}
      mask={{ closable: false }}
      width={640}
    >
      <div className={styles['stack']}>
        {/* Spec 4: the confirmation says what a replacement does not do. */}
        <Alert
          type="warning"
          showIcon
          title="Only the structure changes. No data is altered."
          description={`Name, key field and ${words.database.one} stay; values of removed fields are kept in the ${words.granule.many} and simply no longer listed.`}
        />
        <FileDrop
          ending=".kap"
          max={1}
          label="Choose a .kap file, or drop it here"
          files={chosen ? [chosen.file] : []}
          onChange={([file]) => {
            if (file) void readKap(file).then((content) => setChosen({ file, content }));
          }}
        />
        {chosen && <ChosenFiles files={[chosen.file]} onRemove={() => setChosen(undefined)} />}
        {typeof chosen?.content === 'string' && (
          <Alert
            type="warning"
            showIcon
            title={`The difference can’t be shown: ${chosen.content}`}
            description="The service decides whether it takes the file."
          />
        )}
        {typeof chosen?.content === 'object' && whole && (
          <StructureDifference change={structureDifference(whole, chosen.content)} />
        )}
      </div>
    </Modal>
  );
}
