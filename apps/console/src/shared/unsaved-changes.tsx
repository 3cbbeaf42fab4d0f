import { App } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { useBlocker } from 'react-router';
import {
  addForm,
  enteredValues,
  hasUnsavedChanges,
  type LeaveQuestion,
  onFormLeft,
  unsavedQuestion,
} from './unsaved-forms.ts';

/** Asks before the user leaves the page or the console while this form has unsaved changes. The question is a constant. */
export function useUnsavedGuard(isUnsaved: () => boolean, question = enteredValues): void {
  const ask = useEffectEvent(isUnsaved);
  useEffect(() => addForm({ isUnsaved: () => ask(), question }), [question]);
}

/** Whether the page may be replaced, once that is needed: not before a form with unsaved changes is closed. */
export function useMayReplacePage(isNeeded: boolean): boolean {
  const [mayReplace, setMayReplace] = useState(false);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const check = () => setMayReplace(!hasUnsavedChanges());
    check();
    const stop = onFormLeft(check);
    return () => {
      stop();
      setMayReplace(false);
    };
  }, [isNeeded]);
  return isNeeded && mayReplace;
}

type AskToDiscard = (
  discard: () => void,
  keep?: () => void,
  question?: LeaveQuestion,
) => { destroy: () => void };

/** Asks before a form discards its unsaved changes. */
export function useAskToDiscard(): AskToDiscard {
  const { modal } = App.useApp();
  return (discard, keep, { title, content, leave, stay } = enteredValues) =>
    modal.confirm({
      title,
      content,
      okText: leave,
      cancelText: stay,
      okButtonProps: { danger: true },
      focusable: { autoFocusButton: 'cancel' },
      onOk: discard,
      ...(keep && { onCancel: keep }),
    });
}

/** Asks before leaving without a navigation, such as Logout. */
export function useLeave(): (leave: () => void) => void {
  const askToDiscard = useAskToDiscard();
  return (leave) => {
    const question = unsavedQuestion();
    if (question) askToDiscard(leave, undefined, question);
    else leave();
  };
}

/** Blocks navigation while a form has unsaved changes. Mounted once, because the router allows one blocker. */
export function UnsavedGuard(): null {
  const askToDiscard = useAskToDiscard();
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && hasUnsavedChanges(),
  );
  const ask = useEffectEvent(() =>
    askToDiscard(
      () => proceed?.(),
      () => reset?.(),
      unsavedQuestion(),
    ),
  );

  useEffect(() => {
    if (state !== 'blocked') return undefined;
    const asked = ask();
    return () => asked.destroy();
  }, [state]);

  // The browser asks with its own text when the tab is closed or reloaded.
  useEffect(() => {
    const hold = (event: BeforeUnloadEvent) => {
      if (hasUnsavedChanges()) event.preventDefault();
    };
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, []);
  return null;
}
