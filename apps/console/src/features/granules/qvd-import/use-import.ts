import type { Kapsule } from '@kaptain/contract/kapsules';
import { useEffect, useRef, useState } from 'react';
import { importQvd } from '../../../api/qvd-import.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { ImportResult } from './ResultStep.tsx';

type Step =
  | { name: 'files' }
  | { name: 'uploading'; sent: number; isSent: boolean }
  | { name: 'results'; result: ImportResult };

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Spec 4: file selection, then uploading, then the results. */
export function useImport(kapsule: Kapsule, onImported: () => void) {
  const [step, setStep] = useState<Step>({ name: 'files' });
  const [files, setFiles] = useState<readonly File[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const isUploading = step.name === 'uploading';
  useEffect(() => {
    if (!isUploading) return undefined;
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isUploading]);

  const start = async () => {
    const { signal } = (running.current = new AbortController());
    const size = files.reduce((sum, file) => sum + file.size, 0);
    setStep({ name: 'uploading', sent: 0, isSent: false });
    try {
      const answer = await importQvd(kapsule._id, files, {
        signal,
        // Scales the bytes sent to the size of the files: the request also has multipart boundaries.
        onProgress: (sent, total) =>
          setStep({
            name: 'uploading',
            sent: total > 0 ? (sent / total) * size : 0,
            isSent: sent >= total,
          }),
      });
      setStep({ name: 'results', result: { rows: answer.rows, files: answer.files ?? [] } });
      onImported();
    } catch (error) {
      if (signal.aborted) return;
      setStep({ name: 'results', result: { failure: messageOf(error) } });
    }
  };

  return {
    step,
    files,
    setFiles,
    start,
    /** Aborts the upload. The service stores all rows or none, so that nothing of it remains. */
    cancel: () => {
      running.current?.abort();
      setStep({ name: 'files' });
    },
    again: () => setStep({ name: 'files' }),
  };
}
