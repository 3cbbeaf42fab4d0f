import { ApiError } from '@kaptain/contract/client';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { importQvd } from '../../../api/qvd-import.ts';
import { isSessionEnd, messageOf } from '../../../shared/message-of.ts';
import { useUnsavedGuard } from '../../../shared/unsaved-changes.tsx';
import type { ImportResult } from './ResultStep.tsx';

type Step =
  | { name: 'files' }
  | { name: 'uploading'; sent: number; isSent: boolean }
  | { name: 'results'; result: ImportResult };

const RECEIVED = 'The service had received the files already: their rows may be stored.';
const UNKNOWN =
  'It is not known whether the rows were stored: look at the list before you import them again.';
const leaving = { title: 'Leave and cancel the upload?', leave: 'Leave', stay: 'Stay' };

/** No answer, or a proxy that did not wait for it: the service may have stored the rows all the same. */
const isAnswerLost = (error: unknown) => error instanceof ApiError && [0, 502, 504].includes(error.status);

/** Spec 4: file selection, then uploading, then the results. */
export function useImport(kapsule: Kapsule, onImported: () => void) {
  const [step, setStep] = useState<Step>({ name: 'files' });
  const [files, setFiles] = useState<readonly File[]>([]);
  const { message } = App.useApp();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  useUnsavedGuard(() => step.name === 'uploading', leaving);

  const start = async () => {
    const { signal } = (running.current = new AbortController());
    const size = files.reduce((sum, file) => sum + file.size, 0);
    let isSent = false;
    setStep({ name: 'uploading', sent: 0, isSent });
    try {
      const answer = await importQvd(kapsule._id, files, {
        signal,
        // Scales the bytes sent to the size of the files: the request also has multipart boundaries.
        onProgress: (sent, total) => {
          isSent = sent >= total;
          setStep({ name: 'uploading', sent: total > 0 ? (sent / total) * size : 0, isSent });
        },
      });
      setStep({ name: 'results', result: { rows: answer.rows, files: answer.files ?? [] } });
      onImported();
    } catch (error) {
      // After the next login the files are still chosen.
      if (isSessionEnd(error)) return setStep({ name: 'files' });
      const isUnknown = isSent && (signal.aborted || isAnswerLost(error));
      if (isUnknown) onImported();
      if (signal.aborted) {
        setStep({ name: 'files' });
        if (isUnknown) void message.info(RECEIVED, 8);
        return;
      }
      const failure = isUnknown ? `${messageOf(error)} ${UNKNOWN}` : messageOf(error);
      setStep({ name: 'results', result: { failure } });
    }
  };

  return {
    step,
    files,
    setFiles,
    start,
    /** Aborts the upload. The service stores all rows or none; all, maybe, once it has received the files. */
    cancel: () => running.current?.abort(),
    again: () => setStep({ name: 'files' }),
  };
}
