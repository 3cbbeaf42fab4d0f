import { ApiError } from '@kaptain/contract/client';
import type { QvdFileResult } from '@kaptain/contract/granules';
import type { Kapsule } from '@kaptain/contract/kapsules';
import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { importQvd } from '../../../api/qvd-import.ts';
import { isSessionEnd, messageOf } from '../../../shared/message-of.ts';
import { useUnsavedGuard } from '../../../shared/unsaved-changes.tsx';
import { needsAnswer } from './import-outcome.ts';
import type { ImportResult } from './ResultStep.tsx';

type Pass = 'check' | 'store';
type Step =
  | { name: 'files' }
  | { name: 'uploading'; pass: Pass; sent: number; isSent: boolean }
  /** Rows are refused, or deleted ones would come back: the person decides before anything is stored. */
  | { name: 'asking'; outcome: readonly QvdFileResult[] }
  | { name: 'results'; result: ImportResult };

const RECEIVED = 'The service had received the files already: their rows may be stored.';
const UNKNOWN =
  'It is not known whether the rows were stored: look at the list before you import them again.';
const leaving = { title: 'Leave and cancel the upload?', leave: 'Leave', stay: 'Stay' };

/** No answer, or a proxy that did not wait for it: the service may have stored the rows all the same. */
const isAnswerLost = (error: unknown) => error instanceof ApiError && [0, 502, 504].includes(error.status);

interface Options {
  /** The service tells what an import would do without storing anything; another one might store the rows. */
  canCheck: boolean;
  onImported: () => void;
  /** The files that are chosen at first. */
  chosen: readonly File[];
}

/** Spec 4: file selection, then uploading, then the results. */
export function useImport(kapsule: Kapsule, { canCheck, onImported, chosen }: Options) {
  const [step, setStep] = useState<Step>({ name: 'files' });
  const [files, setFiles] = useState(chosen);
  const { message } = App.useApp();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  useUnsavedGuard(() => step.name === 'uploading', leaving);

  const upload = async (pass: Pass, goodRowsOnly = false) => {
    const { signal } = (running.current = new AbortController());
    const size = files.reduce((sum, file) => sum + file.size, 0);
    let isSent = false;
    setStep({ name: 'uploading', pass, sent: 0, isSent });
    try {
      const answer = await importQvd(kapsule._id, files, {
        signal,
        isDryRun: pass === 'check',
        goodRowsOnly,
        // Scales the bytes sent to the size of the files: the request also has multipart boundaries.
        onProgress: (sent, total) => {
          isSent = sent >= total;
          setStep({ name: 'uploading', pass, sent: total > 0 ? (sent / total) * size : 0, isSent });
        },
      });
      const outcome = answer.files ?? [];
      if (pass === 'check') {
        if (needsAnswer(outcome)) setStep({ name: 'asking', outcome });
        else await upload('store');
        return;
      }
      setStep({ name: 'results', result: { rows: answer.rows, files: outcome } });
      onImported();
    } catch (error) {
      // After the next login the files are still chosen.
      if (isSessionEnd(error)) return setStep({ name: 'files' });
      const isUnknown = pass === 'store' && isSent && (signal.aborted || isAnswerLost(error));
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
    start: () => upload(canCheck ? 'check' : 'store'),
    /** Stores what the check has found good. */
    take: () => upload('store', true),
    /** Aborts the upload. The service stores all rows or none; all, maybe, once it has received the files. */
    cancel: () => running.current?.abort(),
    again: () => setStep({ name: 'files' }),
  };
}
