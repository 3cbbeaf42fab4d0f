import { App } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useBlocker } from 'react-router';
import { forms, hasUnsavedChanges } from './unsaved-forms.ts';

/** Asks before the user leaves the page or the console while this form has unsaved changes. */
export function useUnsavedGuard(isUnsaved: () => boolean): void {
  const ask = useEffectEvent(isUnsaved);
  useEffect(() => {
    const form = () => ask();
    forms.add(form);
    return () => {
      forms.delete(form);
    };
  }, []);
}

/** Asks before a form discards its unsaved changes. */
export function useAskToDiscard(): (discard: () => void, keep?: () => void) => { destroy: () => void } {
  const { modal } = App.useApp();
  return (discard, keep) =>
    modal.confirm({
      title: 'Discard what you have entered?',
      okText: 'Discard',
      cancelText: 'Keep editing',
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
    if (hasUnsavedChanges()) askToDiscard(leave);
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
