import { limits } from '@kaptain/contract/limits';
import { App, Button, Modal } from 'antd';
import { useState } from 'react';
import { type KapResult, useImportKapsules } from '../../api/kapsules.ts';
import { ChosenFiles } from '../../shared/ChosenFiles.tsx';
import { FileDrop } from '../../shared/FileDrop.tsx';
import type { Dialog } from '../../shared/use-dialog.ts';
import { useWords } from '../../variants/use-variant.ts';
import { ImportResults } from './ImportResults.tsx';
import { importMessage } from './import-message.ts';

/** Creates kapsules from .kap files and shows the result of each file. */
export function ImportDialog({ dialog }: { dialog: Dialog<true> }) {
  const { kapsule } = useWords();
  const { message } = App.useApp();
  const importing = useImportKapsules();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [results, setResults] = useState<readonly KapResult[]>();

  const start = async () => {
    const all = await importing.mutateAsync(files);
    const [only] = all;
    if (!only || all.length > 1) return setResults(all);
    // Spec 8: a single file needs no result dialog.
    const text = importMessage(only);
    if ('line' in only) void message.info(text, 8);
    else if (only.failure !== undefined) return void message.error(text, 8);
    else void message.success(text);
    dialog.close();
  };

  return (
    <Modal
      open={dialog.isOpen}
      title={results ? 'Import results' : `Add ${kapsule.many}`}
      // Spec 5 names the button.
      okText="Start Upload"
      okButtonProps={{ disabled: files.length === 0 }}
      {...(results && { footer: <Button onClick={dialog.close}>Close</Button> })}
      confirmLoading={importing.isPending}
      onOk={() => void start()}
      onCancel={() => {
        if (!importing.isPending) dialog.close();
      }}
      afterClose={dialog.forget}
      mask={{ closable: false }}
      width={560}
    >
      {results ? (
        <ImportResults results={results} onLeave={dialog.close} />
      ) : (
        <>
          <FileDrop
            ending=".kap"
            max={limits.kapFiles}
            label="Choose .kap files, or drop them here"
            hint={`Each file becomes a new ${kapsule.one} of yours. It holds the structure, no data.`}
            files={files}
            onChange={setFiles}
          />
          <ChosenFiles files={files} onRemove={(file) => setFiles(files.filter((other) => other !== file))} />
        </>
      )}
    </Modal>
  );
}
