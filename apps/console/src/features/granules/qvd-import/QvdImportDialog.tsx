import type { Kapsule } from '@kaptain/contract/kapsules';
import type { Role } from '@kaptain/contract/vocabulary';
import { Button, Modal, Steps } from 'antd';
import { UploadProgress } from '../../../shared/UploadProgress.tsx';
import type { Dialog } from '../../../shared/use-dialog.ts';
import { useMediaQuery } from '../../../shared/use-media-query.ts';
import { useWords } from '../../../variants/use-variant.ts';
import { AskStep } from './AskStep.tsx';
import { isRefused } from './column-problem.ts';
import { FileStep } from './FileStep.tsx';
import { goodRows, refusedRows } from './import-outcome.ts';
import styles from './QvdImport.module.css';
import { ResultStep } from './ResultStep.tsx';
import { useImport } from './use-import.ts';
import { usePreviews } from './use-previews.ts';

interface Props {
  dialog: Dialog<readonly File[]>;
  kapsule: Kapsule;
  role: Role;
  canCheck: boolean;
  onImported: () => void;
}

const steps = [
  { key: 'files', title: 'File selection' },
  { key: 'uploading', title: 'Uploading' },
  { key: 'results', title: 'Results' },
];

function statusOf({ pass, isSent }: { pass: 'check' | 'store'; isSent: boolean }): string {
  if (!isSent) return pass === 'check' ? 'Sending the files to be checked…' : 'Sending the files…';
  return pass === 'check' ? 'The service is checking the rows…' : 'The service is storing the rows…';
}

export function QvdImportDialog({ dialog, kapsule, role, canCheck, onImported }: Props) {
  const { granule } = useWords();
  const { step, files, setFiles, start, take, cancel, again } = useImport(kapsule, {
    canCheck,
    onImported,
    chosen: dialog.about ?? [],
  });
  const previewOf = usePreviews(files);
  // The service refuses all files with the one.
  const hasRefused = files.some((file) => isRefused(previewOf(file), kapsule, role));
  const isSmall = useMediaQuery('(max-width: 575.98px)');
  const isUploading = step.name === 'uploading';
  const hasFailed = step.name === 'results' && 'failure' in step.result;

  const footer = {
    files: [
      <Button key="cancel" onClick={dialog.close}>
        Cancel
      </Button>,
      // Spec 5: disabled with no files.
      <Button
        key="start"
        type="primary"
        disabled={files.length === 0 || hasRefused}
        onClick={() => void start()}
      >
        Start Upload
      </Button>,
    ],
    uploading: [
      <Button key="stop" onClick={cancel}>
        Cancel the upload
      </Button>,
    ],
    asking: [
      <Button key="none" onClick={again}>
        Take none
      </Button>,
      <Button
        key="good"
        type="primary"
        disabled={step.name === 'asking' && goodRows(step.outcome) === 0}
        onClick={() => void take()}
      >
        {step.name === 'asking' && refusedRows(step.outcome) === 0 ? 'Bring them back' : 'Take the good rows'}
      </Button>,
    ],
    results: [
      hasFailed && (
        <Button key="again" onClick={again}>
          Back to the files
        </Button>
      ),
      <Button key="close" type="primary" onClick={dialog.close}>
        Close
      </Button>,
    ],
  }[step.name];

  return (
    <Modal
      open={dialog.isOpen}
      title={`Import ${granule.many} into ${kapsule.name}`}
      footer={footer}
      // During an upload only its own Cancel button closes the dialog.
      closable={!isUploading}
      keyboard={!isUploading}
      mask={{ closable: false }}
      onCancel={dialog.close}
      afterClose={dialog.forget}
      // Spec 9: 750 wide.
      width={750}
    >
      <div className={styles['dialog']}>
        <Steps
          size="small"
          responsive={false}
          titlePlacement={isSmall ? 'vertical' : 'horizontal'}
          // The question belongs to the upload, which goes on with the answer.
          current={steps.findIndex(({ key }) => key === (step.name === 'asking' ? 'uploading' : step.name))}
          items={steps}
          {...(hasFailed && { status: 'error' as const })}
        />
        {step.name === 'files' && (
          <FileStep kapsule={kapsule} role={role} files={files} previewOf={previewOf} onChange={setFiles} />
        )}
        {step.name === 'uploading' && (
          <>
            <UploadProgress files={files} sent={step.sent} />
            <p role="status">{statusOf(step)}</p>
          </>
        )}
        {step.name === 'asking' && <AskStep outcome={step.outcome} kapsule={kapsule} />}
        {step.name === 'results' && <ResultStep result={step.result} />}
      </div>
    </Modal>
  );
}
