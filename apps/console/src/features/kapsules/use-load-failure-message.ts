import { App } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useWords } from '../../variants/use-variant.ts';

/** Spec 8: the message of a failed load, with the error in the browser's console. */
export function useLoadFailureMessage(error: Error | null): void {
  const { message } = App.useApp();
  const { kapsule } = useWords();
  const report = useEffectEvent((failure: Error) => {
    // oxlint-disable-next-line no-console -- The message sends people there.
    console.error(failure);
    void message.error(`${kapsule.Many} load Failed! Check console for log`);
  });
  // Each failed load has a new error object, so that a second failure is reported too.
  useEffect(() => {
    if (error) report(error);
  }, [error]);
}
